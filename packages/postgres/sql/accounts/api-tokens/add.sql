-- Always returns one row: whether the expiry has passed, and no id if the name is in use.
WITH given AS (
  SELECT to_timestamp(${expiresAtMilliseconds}::double precision / 1000)::timestamptz(3) AS expires_at
), added AS (
  INSERT INTO api_tokens (id, user_id, hash, name, name_key, prefix, read_only, organizations, permissions, zones, networks,
    expires_at)
  SELECT ${id}, ${userId}, ${hash}, ${name}, ${nameKey}, ${prefix}, ${readOnly}, ${organizations}, ${permissions}, ${zones},
    ${networks}, expires_at
  FROM given WHERE expires_at IS NULL OR expires_at > now()
  ON CONFLICT (user_id, name_key) WHERE revoked_at IS NULL DO NOTHING
  RETURNING id, name, prefix, read_only, organizations, permissions, zones, networks, expires_at, created_at
)
SELECT coalesce(given.expires_at <= now(), false) AS "isPast", added.id, added.name, added.prefix,
  added.read_only AS "readOnly", added.organizations, added.permissions, added.zones, added.networks,
  added.expires_at AS "expiresAt", NULL AS "lastUsedAt", NULL AS "lastUsedNetwork",
  true AS "active", added.created_at AS "createdAt"
FROM given LEFT JOIN added ON true
