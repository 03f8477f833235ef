SELECT s.id AS "sessionId", s.user_id AS "userId"
FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
WHERE t.hash = ${hash}
