// JobsTests: to be furnished.
