-- Does not depend on the order of rows.
SELECT count(*)::int AS "count", count(*) || ' ' || coalesce(md5(string_agg(sum, '' ORDER BY sum)), '') AS "checksum"
FROM (
  SELECT md5((SELECT row_to_json(t)::text FROM (SELECT ${compared:name}) AS t)) AS sum FROM ${table:name}
  WHERE ${key:name} IN (SELECT id FROM ${owners:name} WHERE ${ownerKey:name} = ${organization})
) AS sums
WHERE NOT EXISTS (SELECT FROM earlier_rows WHERE checksum = sum)
