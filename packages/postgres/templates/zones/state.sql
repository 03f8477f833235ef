-- One row for a live credential; without a zone if there is none.
WITH <%~ include('@caller') %>
SELECT <%~ include('@caller-columns') %>,
  (<%~ include('@memberships') %>) AS "memberships",
  z.organization_id AS "organizationId", z.revision, z.revision || '.' || z.xmin::text AS "version",
  (SELECT limits::text FROM organizations WHERE id = z.organization_id) AS "ownLimits"
FROM caller AS c LEFT JOIN zones AS z ON z.id = ${id}
