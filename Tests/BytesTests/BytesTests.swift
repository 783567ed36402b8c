// BytesTests: to be furnished.
