"""Run by Alembic; `tamaya.storage.migrate` passes the connection, inside a transaction."""

from alembic import context

from tamaya.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
