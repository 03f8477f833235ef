SELECT m.organization_id AS "organizationId", m.user_id AS "user", m.role, m.joined_at AS "joinedAt",
  EXISTS (SELECT FROM second_factors WHERE user_id = m.user_id) AS "twoFactorEnabled"
FROM memberships AS m
WHERE m.organization_id = ${organization} AND m.user_id = ${user}
