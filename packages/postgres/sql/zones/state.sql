-- One row for a live credential; without a zone if there is none.
WITH caller AS MATERIALIZED (
  /*caller*/
)
SELECT /*columns*/
  z.id, z.organization_id AS "organizationId", z.revision, z.revision || '.' || z.xmin::text AS "version",
  (SELECT limits::text FROM organizations WHERE id = z.organization_id) AS "ownLimits",
  (SELECT /*memberships-as-json*/ FROM (
    /*memberships*/
  ) AS own) AS "memberships"
FROM caller AS a LEFT JOIN zones AS z ON z.id = ${id}
