"""The Open Interface of Roomba and Create: opcodes, packets and the conversation on the serial port."""
