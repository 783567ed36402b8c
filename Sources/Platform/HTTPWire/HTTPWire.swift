// HTTPWire: to be furnished.
