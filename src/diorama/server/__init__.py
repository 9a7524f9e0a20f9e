"""Server: live episodes over HTTP, in one process or several."""
