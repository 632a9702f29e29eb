"""Tools, resources and prompts as built, and the schemas of what they take and give."""
