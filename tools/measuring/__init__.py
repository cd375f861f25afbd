"""Measurements of the program on many ranks: from `solenoid bench` to tables. The standard library is enough."""
