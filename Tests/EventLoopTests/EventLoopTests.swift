// EventLoopTests: to be furnished.
