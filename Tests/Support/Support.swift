// Support: to be furnished.
