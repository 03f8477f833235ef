DELETE FROM mailed_tokens WHERE hash IN (
  SELECT hash FROM mailed_tokens WHERE expires_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING hash
