// PeopleTests: to be furnished.
