"""A controller board whose firmware is a user's Python file."""
