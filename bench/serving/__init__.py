"""Cold start, warm path and memory of the built product, beside a bare handler and its peers."""
