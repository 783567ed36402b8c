// TLSTests: to be furnished.
