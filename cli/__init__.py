"""The curator's command: `python -m cli`, one file for each thing that it does."""
