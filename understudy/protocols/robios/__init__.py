"""RoBIOS calls between a program's library and the simulation: `calls` (orders), `frame` (state), `queries`."""
