"""Messages of a conversation with a model, and how a reply is asked for and read."""
