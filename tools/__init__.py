"""Programs for those who work on Tamaya; not part of the package."""
