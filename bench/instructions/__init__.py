"""Instructions per warm request, counted under valgrind and compared with a stored budget."""
