"""The curator's command: `python -m threegood`, one file for each thing that it does."""
