// SiteTests: to be furnished.
