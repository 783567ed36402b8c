// Consent: to be furnished.
