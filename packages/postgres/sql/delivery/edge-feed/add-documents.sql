INSERT INTO edge_documents (digest, bytes, published_at)
SELECT digest, bytes, statement_timestamp() FROM unnest(${digests}::text[], ${bytes}::bytea[]) AS d (digest, bytes)
ON CONFLICT (digest) DO UPDATE SET published_at = EXCLUDED.published_at
