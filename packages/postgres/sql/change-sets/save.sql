-- Rendered from templates/change-sets/save.sql.eta
UPDATE change_sets SET title = ${title}, title_key = ${titleKey}, description = ${description}, base = ${base},
  patch = ${patch}::json, operations = ${operations}::json, disputed = ${disputed}::json, updated_at = statement_timestamp(),
  ends_at = statement_timestamp() + make_interval(secs => ${lifetimeSeconds}), revision = revision + 1
WHERE id = ${id} AND revision = ${revision} AND applied_at IS NULL AND ends_at > statement_timestamp()
RETURNING id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion",
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
