page AS MATERIALIZED (
  -- Any sort keys: each is the number of a rank, and a direction of 1 or -1.
  SELECT id, row_number() OVER (ORDER BY (
    SELECT array_agg(ranks[key] * direction ORDER BY n)
    FROM unnest(${keys}::integer[], ${directions}::integer[]) WITH ORDINALITY AS sort (key, direction, n)
  ), id) AS place
  FROM (
    SELECT id, ARRAY[
      dense_rank() OVER (ORDER BY name_key), dense_rank() OVER (ORDER BY tag),
      dense_rank() OVER (ORDER BY created_at), dense_rank() OVER (ORDER BY updated_at)
    ] AS ranks
    FROM candidates
  ) AS z
  ORDER BY place
  LIMIT ${limit} OFFSET ${offset}
)
