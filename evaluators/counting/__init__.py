"""Instructions, counted by running a program in a simulated processor: slow, and repeatable."""
