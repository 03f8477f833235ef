-- The name becomes unique again only when it is written, and the zone gets a new ban token; until then the id is a
-- placeholder for the name and for the hash of the token. The host names belong to the zone only when they are written, too.
WITH z AS (
  DELETE FROM zone_deletions WHERE id = ${id} AND organization_id = ${organization} AND expires_at > now() RETURNING *
)
INSERT INTO zones (id, organization_id, name, name_key, tag, hostnames, ban_token_hash, created_by, created_at, updated_at, revision)
SELECT id, organization_id, name, id::text, tag, hostnames, id::text, created_by, created_at, updated_at, revision FROM z
RETURNING id
