"""Shared by all Python tools, cases and tests: the error that ends a tool, and the reader of CSV tables."""
