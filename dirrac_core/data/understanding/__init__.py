"""What a stranger's columns probably mean: proposals with reasons; each can be corrected."""
