SELECT s.user_id, NULL::integer[] AS scope, f.state IS DISTINCT FROM 'enabled' AS lacks_two_factor
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
  WHERE s.id = ${sessionId} AND s.user_id = ${userId} AND s.ended_at IS NULL AND s.expires_at > now()
    AND /*part accounts/in-good-standing*/
