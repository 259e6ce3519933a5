"""The thin shells around the core: serial ports, pins, web, files. They never import one another."""
