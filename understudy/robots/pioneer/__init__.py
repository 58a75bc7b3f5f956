"""The firmware of a Pioneer (ARCOS): `firmware` is the unit; the other modules are its parts."""
