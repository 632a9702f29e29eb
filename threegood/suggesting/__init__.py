"""Words that a curator may add to the vocabulary of a category, and what each would change."""
