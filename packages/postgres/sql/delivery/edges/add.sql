INSERT INTO edges (id, name, tags, organizations, stage, token_hash, token_expires_at)
VALUES (${id}, ${name}, ${tags}, ${organizations}, ${stage}, ${tokenHash}, now() + make_interval(secs => ${lifetimeSeconds}))
ON CONFLICT (name) DO NOTHING
RETURNING id, name, tags, organizations, stage, is_draining AS "isDraining", created_at AS "createdAt", enrolled_at AS "enrolledAt"
