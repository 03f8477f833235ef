lists AS (
  INSERT INTO rule_lists AS l (zone_id, kind) SELECT head.id, touched.kind FROM head, unnest(${kinds}::text[]) AS touched (kind)
  ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
), removed AS (
  DELETE FROM rules AS r USING head WHERE r.zone_id = head.id AND r.id = ANY (${removed}::uuid[])
), written AS (
  UPDATE rules AS r SET
    name_key = coalesce(w.name_key, r.name_key),
    unique_hash = CASE WHEN w.is_rekeyed THEN w.unique_hash ELSE r.unique_hash END,
    key_version = CASE WHEN w.is_rekeyed THEN 1 ELSE r.key_version END,
    content = coalesce(w.content::json, r.content),
    rank = coalesce(w.rank, r.rank),
    revision = CASE WHEN w.content IS NULL THEN r.revision ELSE r.revision + 1 END,
    updated_at = CASE WHEN w.content IS NULL THEN r.updated_at ELSE statement_timestamp() END
  FROM head, unnest(${writtenIds}::uuid[], ${writtenNameKeys}::text[], ${rekeyed}::bool[], ${writtenHashes}::bytea[],
    ${writtenContents}::text[], ${writtenRanks}::float8[]) AS w (id, name_key, is_rekeyed, unique_hash, content, rank)
  WHERE r.zone_id = head.id AND r.id = w.id
), added AS (
  -- The first revision is the one the zone had, which every earlier rule of this id was written before.
  INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, rank, revision, created_at, updated_at)
  SELECT w.id, head.id, w.kind, w.name_key, w.unique_hash, 1, w.content::json, w.rank, head.revision - 1,
    statement_timestamp(), statement_timestamp()
  FROM head, unnest(${addedIds}::uuid[], ${addedKinds}::text[], ${addedNameKeys}::text[], ${addedHashes}::bytea[],
    ${addedContents}::text[], ${addedRanks}::float8[]) AS w (id, kind, name_key, unique_hash, content, rank)
), 
