"""The API's reply and request bodies, in the vendor's field names."""
