"""HTTP beneath the pages: security, limits, cookies and sessions."""
