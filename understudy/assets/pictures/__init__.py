"""Pictures from files: `texture` for red, green and blue, `grey_picture` for brightness."""
