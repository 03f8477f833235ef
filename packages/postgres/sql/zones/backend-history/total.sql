SELECT count(*)::int AS "total"
FROM backend_revisions WHERE backend_id = ${id} AND organization_id = ${organizationId} AND kind = ${kind}
