// ArchiveTests: to be furnished.
