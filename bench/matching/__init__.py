"""How matching behaves as the registry grows: synthetic registries, and what is measured on them."""
