// HTTPWireTests: to be furnished.
