m.organization_id AS "organization", m.role,
  o.enforce_two_factor AND f.state IS DISTINCT FROM 'enabled' AS "needsTwoFactor"
