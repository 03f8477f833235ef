-- Rendered from templates/review/change-sets/add.sql.eta
-- The zone is locked, so what is open cannot change before the insert.
WITH room AS (
  SELECT count(*) < ${maxSets} AS for_set, coalesce(sum(text_bytes), 0) + ${bytes} <= ${maxBytes} AS for_bytes
  FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND ends_at > statement_timestamp()
), added AS (
  INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, operations, disputed, created_by,
    created_at, updated_at, ends_at, merge_set_revision, merge_zone_revision, merge_conflicted, merge_characters)
  SELECT ${id}, ${zone}, ${title}, ${titleKey}, ${description}, ${base}, ${patch}::json, ${operations}::json,
    ${disputed}::json, ${createdBy}, statement_timestamp(), statement_timestamp(),
    statement_timestamp() + make_interval(secs => ${lifetimeSeconds}), 1, ${zoneRevision}, ${isConflicted}, ${characters}
  FROM room WHERE for_set AND for_bytes
  RETURNING id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  text_bytes AS "bytes", CASE WHEN merge_set_revision = revision THEN merge_zone_revision END AS "zoneRevision",
  merge_conflicted AS "isConflicted", merge_characters AS "characters",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion"
)
SELECT room.for_set AS "roomForSet", room.for_bytes AS "roomForBytes", added.* FROM room LEFT JOIN added ON true
