// Templates: to be furnished.
