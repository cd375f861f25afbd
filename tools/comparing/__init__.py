"""Shared by tools/compare: the programs that are compared with Solenoid, their launch and measurement."""
