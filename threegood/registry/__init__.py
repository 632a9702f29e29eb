"""A registry file: its records, its rules, and the positions of its faults."""
