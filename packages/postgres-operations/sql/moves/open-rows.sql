-- JSON text keeps every value exactly.
DECLARE batches CURSOR FOR
SELECT (SELECT row_to_json(t)::text FROM (SELECT ${copied:name}) AS t) AS "row" FROM ${table:name}
WHERE ${key:name} IN (SELECT id FROM ${owners:name} WHERE ${ownerKey:name} = ${organization})
  AND NOT EXISTS (
    SELECT FROM earlier_rows
    WHERE checksum = md5((SELECT row_to_json(t)::text FROM (SELECT ${compared:name}) AS t))
  )
