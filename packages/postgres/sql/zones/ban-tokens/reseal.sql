-- Omits tokens that have been rotated in the meantime.
UPDATE zones AS z SET ban_token_hash = s.hash, sealed_ban_token = s.sealed
FROM unnest(${ids}::uuid[], ${earlier}::text[], ${hashes}::text[], ${sealed}::text[]) AS s (id, earlier, hash, sealed)
WHERE z.id = s.id AND z.ban_token_hash = s.earlier
RETURNING z.id
