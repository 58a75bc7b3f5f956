"""Validity cards of the sensors: sources of each kind, what is modelled and what is not."""
