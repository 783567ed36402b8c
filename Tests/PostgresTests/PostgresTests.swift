// PostgresTests: to be furnished.
