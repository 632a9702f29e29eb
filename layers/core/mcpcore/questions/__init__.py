"""What a client can be asked, how it answers, and the sealed state that it brings back."""
