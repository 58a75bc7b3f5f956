"""The firmware of a Roomba or Create: `firmware` is the unit; the other modules are its parts."""
