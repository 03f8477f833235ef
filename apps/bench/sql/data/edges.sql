-- Enrolled edges that serve everything.
INSERT INTO edges (id, name, tags, organizations, stage, token_expires_at, key_hash, enrolled_at)
SELECT gen_random_uuid(), 'bench-' || number, '{}', '{}', 'main', now(), hash, now()
FROM unnest($<hashes>::text[]) WITH ORDINALITY AS key (hash, number)
ON CONFLICT (name) DO NOTHING
