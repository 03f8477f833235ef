SELECT id, organization_id AS "organizationId" FROM zones WHERE id = ANY (${zones}::uuid[])
