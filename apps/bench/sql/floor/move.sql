WITH moved AS (
  UPDATE bench_rules
  SET position = CASE WHEN id = $2 THEN $4::int ELSE position + CASE WHEN $3::int < $4::int THEN -1 ELSE 1 END END
  WHERE zone_id = $1 AND position BETWEEN least($3::int, $4::int) AND greatest($3::int, $4::int)
  RETURNING id, position AS "order", content::text AS "content", created_at AS "createdAt", updated_at AS "updatedAt"
)
SELECT * FROM moved WHERE id = $2
