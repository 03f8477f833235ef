SELECT /*part change-sets/whole*/
FROM change_sets
WHERE id = ${id} AND zone_id = ${zone}
