// Activity: to be furnished.
