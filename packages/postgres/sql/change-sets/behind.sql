SELECT /*part change-sets/whole*/
FROM change_sets
WHERE zone_id = ${zone} AND /*part change-sets/open*/ 
  AND (disputed IS NOT NULL OR base <> (SELECT revision FROM zones WHERE id = ${zone}))
ORDER BY id
