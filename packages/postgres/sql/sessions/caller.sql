-- One row a membership, or one without any.
SELECT /*part memberships/columns*/
FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  LEFT JOIN two_factor AS f ON f.user_id = u.id
  LEFT JOIN memberships AS m ON m.user_id = u.id
  LEFT JOIN organizations AS o ON o.id = m.organization_id
WHERE s.id = ${sessionId} AND s.user_id = ${userId} AND s.ended_at IS NULL AND s.expires_at > now()
  AND /*part accounts/in-good-standing*/
ORDER BY m.organization_id
