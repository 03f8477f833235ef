z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken", z.created_by AS "createdBy",
  z.created_at AS "createdAt", z.updated_at AS "updatedAt", z.revision
