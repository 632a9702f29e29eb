"""The protocol's methods, a module for each feature of the specification."""
