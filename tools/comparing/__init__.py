"""What tools/compare shares: programs that are compared with Solenoid, and how they are run and measured."""
