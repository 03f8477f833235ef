-- Whether marks are left of those that were there when the round began.
WITH removed AS (
  DELETE FROM zone_publications_due WHERE id = ANY (${marks}::bigint[]) RETURNING id
)
SELECT EXISTS (
  SELECT FROM zone_publications_due AS d
  WHERE d.id <= ${latest}::bigint AND NOT EXISTS (SELECT FROM removed AS r WHERE r.id = d.id)
) AS "isMore"
