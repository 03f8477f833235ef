-- Rendered from templates/zones/deleted-zones/list.sql.eta
SELECT id, organization_id AS "organizationId", name, tag, revision, deleted_at AS "deletedAt", deleted_by AS "deletedBy",
  expires_at AS "expiresAt"
FROM zone_deletions
WHERE organization_id = ${organization} AND (${zones}::uuid[] IS NULL OR id = ANY (${zones}))
  AND expires_at > now() AND search_key LIKE ${pattern} ESCAPE '\'
ORDER BY deleted_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
