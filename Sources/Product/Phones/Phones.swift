// Phones: to be furnished.
