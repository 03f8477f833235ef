DECLARE batches CURSOR FOR
SELECT DISTINCT md5((SELECT row_to_json(t)::text FROM (SELECT ${compared:name}) AS t)) AS "checksum" FROM ${table:name}
WHERE ${key:name} IN (SELECT id FROM ${owners:name} WHERE ${ownerKey:name} = ${organization})
