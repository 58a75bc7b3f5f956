"""Eight numbers at once: `vec8` has the types, `llvm` their common code, `interpreted` the stand-ins."""
