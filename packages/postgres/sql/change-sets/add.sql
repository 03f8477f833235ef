-- Rendered from templates/change-sets/add.sql.eta
-- The zone is locked, so the count cannot change before the insert.
INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, operations, disputed, created_by, created_at,
  updated_at, ends_at)
SELECT ${id}, ${zone}, ${title}, ${titleKey}, ${description}, ${base}, ${patch}::json, ${operations}::json, ${disputed}::json,
  ${createdBy}, statement_timestamp(), statement_timestamp(), statement_timestamp() + make_interval(secs => ${lifetimeSeconds})
WHERE (
  SELECT count(*) FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND ends_at > statement_timestamp()
) < ${limit}
RETURNING id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion",
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
