SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", m.role, m.joined_at AS "joinedAt",
  EXISTS (SELECT FROM second_factors WHERE user_id = u.id) AS "twoFactorEnabled"
FROM memberships AS m JOIN users AS u ON u.id = m.user_id
WHERE m.organization_id = ${organization} AND (${after}::uuid IS NULL OR u.id > ${after})
ORDER BY u.id
LIMIT ${limit}
