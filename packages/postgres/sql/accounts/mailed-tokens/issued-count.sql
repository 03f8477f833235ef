SELECT count(*)::int AS "count" FROM mailed_tokens
WHERE user_id = ${userId} AND purpose = ${purpose} AND created_at > now() - make_interval(secs => ${seconds})
