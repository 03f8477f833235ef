SELECT z.organization_id AS "organizationId", z.revision, o.limits::text AS "ownLimits"
FROM zones AS z JOIN organizations AS o ON o.id = z.organization_id
WHERE z.id = ${id}
