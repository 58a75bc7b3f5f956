"""EyeSim's files: worlds and mazes, `.sim` files, `.robi` robots, `.esObj` objects and the parameter file."""
