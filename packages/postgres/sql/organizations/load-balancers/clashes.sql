SELECT id FROM load_balancers WHERE organization_id = ${organizationId} AND id <> ${id} AND name_key = ${nameKey}
