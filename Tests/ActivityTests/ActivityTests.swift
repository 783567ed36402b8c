// ActivityTests: to be furnished.
