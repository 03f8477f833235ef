SELECT EXISTS (
  SELECT 1 FROM zones
  WHERE organization_id = ${organizationId} AND name_key = ${nameKey} AND tag = ${tag} AND id <> ${id}
) AS "isTaken"
