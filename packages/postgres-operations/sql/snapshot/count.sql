SELECT count(*)::int AS "count" FROM ${table:name}
