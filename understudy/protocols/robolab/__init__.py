"""ROBOLAB's TCP server: direct commands and programs as LASM text; `protocol` is the conversation."""
