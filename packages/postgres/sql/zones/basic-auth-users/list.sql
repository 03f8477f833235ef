-- Includes the total, so that both are consistent: at least one row, without a user if the page is empty.
WITH matching AS (
  SELECT b.id, b.zone_id, b.username, b.comment, b.created_at, b.updated_at, b.revision
  FROM basic_auth_users AS b JOIN zones AS z ON z.id = b.zone_id
  WHERE b.zone_id = ${zone} AND (${pattern}::text IS NULL OR b.username_key LIKE ${pattern} ESCAPE '\')
), page AS (
  SELECT * FROM matching ORDER BY username, id LIMIT ${limit} OFFSET ${offset}
)
SELECT page.id, page.zone_id AS "zoneId", page.username, page.comment, page.created_at AS "createdAt",
  page.updated_at AS "updatedAt", page.revision, (SELECT count(*)::int FROM matching) AS "totalItems"
FROM (SELECT) AS whole LEFT JOIN page ON true
ORDER BY page.username, page.id
