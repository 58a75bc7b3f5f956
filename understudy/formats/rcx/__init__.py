"""Programs of a LEGO RCX as files: LASM text and byte-code images, and the instruction set that both share."""
