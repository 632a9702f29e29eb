"""The commands of `threegood`, one module each."""
