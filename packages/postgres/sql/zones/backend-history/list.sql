SELECT number, action, author, created_at::timestamptz(3) AS "createdAt"
FROM backend_revisions WHERE backend_id = ${id} AND organization_id = ${organizationId} AND kind = ${kind}
ORDER BY number DESC
LIMIT ${limit} OFFSET ${offset}
