// TemplatesTests: to be furnished.
