-- Some time after they can no longer be restored, when no restoration can be in progress.
WITH expired AS (
  DELETE FROM zone_deletions WHERE id IN (
    SELECT id FROM zone_deletions WHERE expires_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch}
    FOR UPDATE SKIP LOCKED
  ) RETURNING id
)
UPDATE zone_identities SET organization_id = NULL WHERE id IN (SELECT id FROM expired)
RETURNING id
