"""Elevation data as scenes."""
