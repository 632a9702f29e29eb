"""A registry file: its records, its rules, and the places of what is wrong with it."""
