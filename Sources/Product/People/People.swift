// People: to be furnished.
