SELECT to_regclass('schema_migrations') AS "name"
