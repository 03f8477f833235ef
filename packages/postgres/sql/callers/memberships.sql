SELECT m.organization_id AS organization, m.role, o.enforce_two_factor AND a.lacks_two_factor AS needs_two_factor
  FROM caller AS a
    JOIN memberships AS m ON m.user_id = a.user_id AND (a.scope IS NULL OR m.organization_id = ANY (a.scope))
    JOIN organizations AS o ON o.id = m.organization_id
