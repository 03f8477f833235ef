INSERT INTO organizations (${columns:name}) OVERRIDING SYSTEM VALUE
SELECT ${columns:name} FROM json_populate_record(NULL::organizations, ${row}) RETURNING id
