// Postgres: to be furnished.
