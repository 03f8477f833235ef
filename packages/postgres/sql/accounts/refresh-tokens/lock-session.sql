SELECT s.methods, s.ended_at IS NULL AND s.expires_at > now() AS "sessionLives",
  t.used_at IS NOT NULL AS "used", t.expires_at > now() AS "tokenLives"
FROM sessions AS s JOIN refresh_tokens AS t ON t.session_id = s.id
WHERE t.hash = ${hash}
FOR NO KEY UPDATE OF s
