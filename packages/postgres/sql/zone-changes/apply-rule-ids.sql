removed AS (
  DELETE FROM rules AS r USING head WHERE r.zone_id = head.id AND r.id = ANY (${removed}::uuid[])
), added AS (
  -- The first revision is the zone's, which is higher than any earlier revision of a rule with this id.
  INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, rank, revision, created_at, updated_at)
  SELECT w.id, head.id, w.kind, w.name_key, w.unique_hash, 1, w.content::json, w.rank, head.revision - 1,
    statement_timestamp(), statement_timestamp()
  FROM head, unnest(${addedIds}::uuid[], ${addedKinds}::text[], ${addedNameKeys}::text[], ${addedHashes}::bytea[],
    ${addedContents}::text[], ${addedRanks}::float8[]) AS w (id, kind, name_key, unique_hash, content, rank)
), 
