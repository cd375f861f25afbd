"""What all Python tools, cases and tests share: the error that ends a tool, and the reader of CSV tables."""
