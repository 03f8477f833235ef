-- Adds rows, replacing their users and their organization by those of the target. A user without an account becomes
-- null, or stays as it is in tables that may name users that do not exist.
INSERT INTO ${table:name} (${copied:name})
SELECT ${copied:name} FROM (
  SELECT new.* FROM json_array_elements(${rows}) WITH ORDINALITY AS moved (json, number)
    CROSS JOIN LATERAL json_populate_record(NULL::${table:name}, moved.json) AS old
    CROSS JOIN LATERAL (
      SELECT coalesce(json_object_agg(c.name, coalesce(
        CASE c.name WHEN 'organization_id' THEN ${organization}::text ELSE m.target::text END,
        CASE WHEN ${keepsUsers} THEN moved.json ->> c.name END
      )), '{}') AS json
      FROM unnest(${replaced}::text[]) AS c (name) LEFT JOIN matched_users AS m
        ON m.source = CASE WHEN c.name <> 'organization_id' THEN (moved.json ->> c.name)::uuid END
    ) AS here
    CROSS JOIN LATERAL json_populate_record(old, here.json) AS new
  ORDER BY moved.number
) AS rows
