SELECT coalesce(json_agg(u), '[]')::text AS "accounts"
FROM (SELECT id, email, email_key, active FROM users WHERE id = ANY (${users}::uuid[])) AS u
