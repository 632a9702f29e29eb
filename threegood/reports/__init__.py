"""Reports on how a registry matches: what its patterns find, which words it lacks, what makes a score."""
