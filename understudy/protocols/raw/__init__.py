"""Bytes as they are, for units that have a protocol of their own."""
