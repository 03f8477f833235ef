SELECT id, organization_id AS "organizationId", name, tag, revision, deleted_at AS "deletedAt", deleted_by AS "deletedBy",
  expires_at AS "expiresAt"
FROM zone_deletions
WHERE id = ${id} AND organization_id = ${organization} AND expires_at > now()
