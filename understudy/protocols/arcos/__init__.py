"""ARCOS, the serial protocol of Pioneers: `protocol` is the entry, `commands` the command table."""
