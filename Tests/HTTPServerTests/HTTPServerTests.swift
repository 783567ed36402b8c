// HTTPServerTests: to be furnished.
