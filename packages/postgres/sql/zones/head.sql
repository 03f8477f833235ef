SELECT organization_id AS "organizationId", revision FROM zones WHERE id = ${id}
