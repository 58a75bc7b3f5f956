"""Lines of JSON about the whole scene, for programs in any language: see docs/json-lines.md."""
