"""What whoever runs the server needs: health, metrics, logs and backups."""
