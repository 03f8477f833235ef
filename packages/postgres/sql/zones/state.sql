-- One row for a live credential; without a zone if there is none.
WITH caller AS MATERIALIZED (
  /*caller*/
)
SELECT /*columns*/
  z.id, z.organization_id AS "organizationId", z.revision || '.' || z.xmin::text AS "state",
  (SELECT limits::text FROM organizations WHERE id = z.organization_id) AS "ownLimits",
  (SELECT /*memberships-as-json*/ FROM (
    /*memberships*/
  ) AS own WHERE organization = z.organization_id) AS "memberships"
FROM caller AS a LEFT JOIN zones AS z ON z.id = ${id}
