"""Output for people: messages, wrapped text, pictures and plots."""
