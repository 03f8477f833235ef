-- Some time after they can no longer be restored, when no restoration can be in progress. A batch is a number of rows and
-- a number of bytes, but always a row.
WITH expired AS (
  DELETE FROM deleted_zones WHERE id IN (
    SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
        SELECT id, bytes FROM deleted_zones WHERE expires_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch}
        FOR UPDATE SKIP LOCKED
      ) AS ended
    ) AS counted
    WHERE before < ${bytes}
  ) RETURNING id
)
UPDATE zone_identities SET organization_id = NULL WHERE id IN (SELECT id FROM expired)
RETURNING id
