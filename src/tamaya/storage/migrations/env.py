"""What Alembic runs; `tamaya.storage.migrate` hands over the connection, inside a transaction of its own."""

from alembic import context

from tamaya.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
