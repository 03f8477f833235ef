-- One use of a token at a time: a concurrent duplicate must neither wait nor count as reuse.
SELECT s.id AS "sessionId", s.user_id AS "userId", pg_try_advisory_xact_lock(hashtextextended(${hash}, 0)) AS "locked"
FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
WHERE t.hash = ${hash}
