// Bytes: to be furnished.
