"""Keys, signatures and proofs of a registry, as its curator makes them and anyone verifies them."""
