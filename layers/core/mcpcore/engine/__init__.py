"""One admitted request from what is stored for it to its outcome."""
