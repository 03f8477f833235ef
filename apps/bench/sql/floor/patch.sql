UPDATE bench_rules SET content = (content::jsonb || jsonb_build_object('description', $3::text))::json, updated_at = clock_timestamp()
WHERE id = $2 AND zone_id = $1
RETURNING id, position AS "order", content::text AS "content", created_at AS "createdAt", updated_at AS "updatedAt"
