"""Does an engine play by the rules? The protocol, the connection to an engine, and what is asked of it."""
