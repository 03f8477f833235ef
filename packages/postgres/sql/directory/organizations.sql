SELECT /*part organizations/columns*/,
  (SELECT count(*)::int FROM memberships AS m WHERE m.organization_id = o.id) AS "members",
  (SELECT count(*)::int FROM zones AS z WHERE z.organization_id = o.id) AS "zones"
FROM organizations AS o
WHERE ${after}::integer IS NULL OR id > ${after}
ORDER BY id
LIMIT ${limit}
