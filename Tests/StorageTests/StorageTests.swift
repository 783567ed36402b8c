// StorageTests: to be furnished.
