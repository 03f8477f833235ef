SELECT count(*)::int AS "total"
FROM change_sets
WHERE /*part change-sets/filter*/
