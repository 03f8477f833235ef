SELECT coalesce(json_agg(json_build_object(
    'organization', organization, 'role', role, 'needsTwoFactor', needs_two_factor
  ) ORDER BY organization), '[]') FROM granted
