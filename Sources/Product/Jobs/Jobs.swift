// Jobs: to be furnished.
