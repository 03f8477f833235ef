-- The zone is locked, so the count cannot change before the insert.
INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, operations, disputed, created_by, created_at,
  updated_at, ends_at)
SELECT ${id}, ${zone}, ${title}, ${titleKey}, ${description}, ${base}, ${patch}::json, ${operations}::json, ${disputed}::json,
  ${createdBy}, statement_timestamp(), statement_timestamp(), statement_timestamp() + make_interval(secs => ${lifetimeSeconds})
WHERE (
  SELECT count(*) FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND ends_at > statement_timestamp()
) < ${limit}
RETURNING <%~ include('@change-set-columns') %>,
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
