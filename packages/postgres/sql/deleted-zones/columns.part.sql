id, organization_id AS "organizationId", name, tag, revision, deleted_at AS "deletedAt", deleted_by AS "deletedBy",
  expires_at AS "expiresAt"
