SELECT
  ARRAY(SELECT organization_id FROM memberships WHERE user_id = u.id ORDER BY organization_id) AS "organizations",
  ARRAY(SELECT role FROM memberships WHERE user_id = u.id ORDER BY organization_id) AS "roles"
FROM sessions AS s JOIN users AS u ON u.id = s.user_id
WHERE s.id = ${sessionId} AND s.user_id = ${userId} AND s.ended_at IS NULL AND s.expires_at > now()
  AND u.active AND u.email_verified_at IS NOT NULL
