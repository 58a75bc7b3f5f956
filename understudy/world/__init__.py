"""What exists: frozen, typed data without behaviour.

A `Scene` is the document that a file holds; `resolve` makes it flat and complete, the form that engines see.
This package does not depend on files, clocks or connections.
"""
