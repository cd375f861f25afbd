"""The error that ends a tool."""


class Failure(Exception):
    """What ends a tool, in words for the user: what was found, where, and the way out."""
