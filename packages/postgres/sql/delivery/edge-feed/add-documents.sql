INSERT INTO edge_documents (digest, bytes, organization_id, tag, published_at)
SELECT digest, bytes, organization_id, tag, statement_timestamp()
FROM unnest(${digests}::text[], ${bytes}::bytea[], ${organizations}::int[], ${tags}::text[]) AS d (digest, bytes, organization_id, tag)
ON CONFLICT (digest) DO UPDATE SET published_at = EXCLUDED.published_at
