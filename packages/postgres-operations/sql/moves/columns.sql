-- The writable columns of a table in order, and whether they refer to a user.
SELECT a.attname AS "name", a.attname = 'actor_id' OR EXISTS (
  SELECT FROM pg_constraint AS k
  WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND k.confrelid = 'users'::regclass AND k.conkey = ARRAY[a.attnum]
) AS "isUser"
FROM pg_attribute AS a
WHERE a.attrelid = ${table}::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum
