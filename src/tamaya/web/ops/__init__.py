"""Operations: health, metrics, logs and backups."""
