"""The curator's package: a registry checked, baked, and reported on. Nothing of it is deployed."""
