"""HTTP below the pages: security, rate limits, cookies and sessions."""
