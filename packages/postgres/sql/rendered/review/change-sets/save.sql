-- Rendered from templates/review/change-sets/save.sql.eta
-- The zone is locked, so what else is open cannot change before the update.
WITH found AS (
  SELECT c.id, ${bytes} <= c.text_bytes OR ${bytes} + (
    SELECT coalesce(sum(o.text_bytes), 0) FROM change_sets AS o
    WHERE o.zone_id = c.zone_id AND o.id <> c.id AND o.applied_at IS NULL AND o.ends_at > statement_timestamp()
  ) <= ${maxBytes} AS has_room
  FROM change_sets AS c
  WHERE c.id = ${id} AND c.revision = ${revision} AND c.applied_at IS NULL AND c.ends_at > statement_timestamp()
), saved AS (
  UPDATE change_sets SET title = ${title}, title_key = ${titleKey}, description = ${description}, base = ${base},
    patch = ${patch}::json, operations = ${operations}::json, disputed = ${disputed}::json,
    updated_at = statement_timestamp(), ends_at = statement_timestamp() + make_interval(secs => ${lifetimeSeconds}),
    revision = revision + 1, merge_set_revision = revision + 1, merge_zone_revision = ${zoneRevision},
    merge_conflicted = ${isConflicted}, merge_characters = ${characters}
  WHERE id = (SELECT id FROM found WHERE has_room) AND revision = ${revision}
    AND applied_at IS NULL AND ends_at > statement_timestamp()
  RETURNING id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  text_bytes AS "bytes", CASE WHEN merge_set_revision = revision THEN merge_zone_revision END AS "zoneRevision",
  merge_conflicted AS "isConflicted", merge_characters AS "characters",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion"
)
SELECT found.has_room AS "roomForBytes", saved.* FROM found LEFT JOIN saved ON true
