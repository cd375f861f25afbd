"""The error that ends a tool."""


class Failure(Exception):
    """Ends a tool with a message for the user: the finding, its place, and the remedy."""
