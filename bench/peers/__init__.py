"""What the product is measured against: small servers with the same four tools, each in its own environment.

The package is copied into that environment, so its modules import each other by relative names, and nothing
else of this project.
"""
