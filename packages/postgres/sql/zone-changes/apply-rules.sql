lists AS (
  INSERT INTO rule_lists AS l (zone_id, kind) SELECT head.id, touched.kind FROM head, unnest(${kinds}::text[]) AS touched (kind)
  ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
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
), 