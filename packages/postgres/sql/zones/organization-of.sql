SELECT organization_id AS "organizationId" FROM zones WHERE id = ${id}
