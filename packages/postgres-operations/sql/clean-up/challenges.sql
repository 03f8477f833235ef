DELETE FROM challenges WHERE hash IN (
  SELECT hash FROM challenges WHERE expires_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING hash
