-- From the latest snapshot up to and including the revision.
SELECT number, number || '.' || xmin::text AS "version", patch::text AS "patch", snapshot::text AS "snapshot"
FROM zone_revisions
WHERE zone_id = ${zone} AND number <= ${number} AND number >= (
  SELECT max(number) FROM zone_revisions WHERE zone_id = ${zone} AND number <= ${number} AND snapshot IS NOT NULL
)
ORDER BY number
