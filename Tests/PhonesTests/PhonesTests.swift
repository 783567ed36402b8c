// PhonesTests: to be furnished.
