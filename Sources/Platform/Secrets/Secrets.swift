// Secrets: to be furnished.
