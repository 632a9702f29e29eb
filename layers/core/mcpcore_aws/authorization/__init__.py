"""Authorization: who may call. Only a function that has it imports anything from here."""
