-- Unique names of the rows in the trail.
SELECT number || '.' || xmin::text AS "version"
FROM zone_revisions
WHERE zone_id = ${zone} AND number <= ${number} AND number >= (
  SELECT max(number) FROM zone_revisions WHERE zone_id = ${zone} AND number <= ${number} AND snapshot IS NOT NULL
)
ORDER BY number
