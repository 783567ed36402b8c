// TLS: to be furnished.
