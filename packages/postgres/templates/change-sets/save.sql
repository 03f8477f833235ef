UPDATE change_sets SET title = ${title}, title_key = ${titleKey}, description = ${description}, base = ${base},
  patch = ${patch}::json, operations = ${operations}::json, disputed = ${disputed}::json, updated_at = statement_timestamp(),
  ends_at = statement_timestamp() + make_interval(secs => ${lifetimeSeconds}), revision = revision + 1
WHERE id = ${id} AND revision = ${revision} AND applied_at IS NULL AND ends_at > statement_timestamp()
RETURNING <%~ include('@change-set-columns') %>,
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
