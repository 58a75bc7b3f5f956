import eye

eye.VWSetSpeed(100, 0)
