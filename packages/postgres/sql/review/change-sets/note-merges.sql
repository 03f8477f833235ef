-- Never waits: a set that is being changed is skipped.
UPDATE change_sets AS c SET merge_set_revision = w.revision, merge_zone_revision = w.zone_revision,
  merge_conflicted = w.is_conflicted, merge_characters = w.characters
FROM unnest(${ids}::uuid[], ${revisions}::int[], ${zoneRevisions}::int[], ${conflicted}::bool[], ${characters}::int[])
  AS w (id, revision, zone_revision, is_conflicted, characters)
WHERE c.id = w.id AND c.id IN (
  SELECT s.id FROM change_sets AS s JOIN unnest(${ids}::uuid[], ${revisions}::int[], ${zoneRevisions}::int[])
    AS n (id, revision, zone_revision) ON n.id = s.id AND n.revision = s.revision
  WHERE s.merge_set_revision IS DISTINCT FROM n.revision OR s.merge_zone_revision < n.zone_revision
  FOR NO KEY UPDATE OF s SKIP LOCKED
)
