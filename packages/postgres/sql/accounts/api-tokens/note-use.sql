-- SKIP LOCKED: of concurrent requests in a new minute, one writes and none waits.
UPDATE api_tokens SET last_used_at = now(), last_used_network = ${network}
WHERE id = (
  SELECT id FROM api_tokens
  WHERE id = ${tokenId} AND (last_used_at IS NULL OR last_used_at <= now() - make_interval(secs => ${usePrecisionSeconds}))
  FOR NO KEY UPDATE SKIP LOCKED
)
