// HouseTests: to be furnished.
