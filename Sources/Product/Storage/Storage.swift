// Storage: to be furnished.
