"""Episodes: one attempt at a scenario, the interface it gives an agent, and the agents that ship with Diorama."""
