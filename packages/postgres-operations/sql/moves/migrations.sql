SELECT string_agg(name, ' ' ORDER BY name) AS "names" FROM schema_migrations
