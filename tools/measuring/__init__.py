"""Measurements of the program on many ranks: from `solenoid bench` to tables. Needs only the standard library."""
