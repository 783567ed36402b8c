// IntakeTests: to be furnished.
