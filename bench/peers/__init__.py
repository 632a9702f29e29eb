"""The servers that the product is compared with, each with the same four tools.

The package is copied into the environment of each, so its modules import each other by relative names, and no
other module of this project.
"""
