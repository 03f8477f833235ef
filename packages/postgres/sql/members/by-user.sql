SELECT m.organization_id AS "organizationId", m.user_id AS "user", m.role, m.joined_at AS "joinedAt",
  f.state IS NOT DISTINCT FROM 'enabled' AS "twoFactorEnabled"
FROM memberships AS m LEFT JOIN two_factor AS f ON f.user_id = m.user_id
WHERE m.organization_id = ${organization} AND m.user_id = ${user}
