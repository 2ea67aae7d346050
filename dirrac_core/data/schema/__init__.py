"""What a person is made of: features, rules between them, and what may change."""
