SELECT bytes, organization_id AS "organizationId", tag FROM edge_documents WHERE digest = ${digest}
