// HTTPTests: to be furnished.
