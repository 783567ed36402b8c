// Site: to be furnished.
