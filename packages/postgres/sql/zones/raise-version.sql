UPDATE zones AS z SET revision = z.revision + 1 WHERE z.id = ${id}
RETURNING z.revision, coalesce((
  SELECT r.replay_bytes FROM zone_revisions AS r WHERE r.zone_id = z.id AND r.number = z.revision - 1
), 0) AS "replayBytes"
