// ConsentTests: to be furnished.
