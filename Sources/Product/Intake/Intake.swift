// Intake: to be furnished.
