SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", m.role, m.joined_at AS "joinedAt",
  f.state IS NOT DISTINCT FROM 'enabled' AS "twoFactorEnabled"
FROM memberships AS m JOIN users AS u ON u.id = m.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
WHERE m.organization_id = ${organization} AND (${after}::uuid IS NULL OR u.id > ${after})
ORDER BY u.id
LIMIT ${limit}
