maze no-such.maz
