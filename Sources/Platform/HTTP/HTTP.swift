// HTTP: to be furnished.
