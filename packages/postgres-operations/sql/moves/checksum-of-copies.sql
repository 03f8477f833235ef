-- The rows that this transaction has added. Does not depend on their order.
SELECT count(*)::int AS "count", count(*) || ' ' || coalesce(md5(string_agg(sum, '' ORDER BY sum)), '') AS "checksum"
FROM (
  SELECT md5((SELECT row_to_json(t)::text FROM (SELECT ${compared:name}) AS t)) AS sum FROM ${table:name} AS r
  WHERE ${key:name} IN (SELECT id FROM ${owners:name} WHERE ${ownerKey:name} = ${organization})
    AND r.xmin = pg_current_xact_id()::xid
) AS sums
