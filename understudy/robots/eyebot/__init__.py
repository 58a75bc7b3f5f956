"""The EyeBot controller: v-omega driving, motors, servos, sensors, radio and console, as RoBIOS offers them."""
