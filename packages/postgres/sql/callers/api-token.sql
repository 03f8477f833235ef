SELECT t.user_id, t.id AS credential_id, nullif(t.organizations, '{}') AS scope, t.read_only,
    t.last_used_at IS NULL OR t.last_used_at <= now() - interval '1 minute' AS unnoted,
    f.state IS DISTINCT FROM 'enabled' AS lacks_two_factor
  FROM api_tokens AS t JOIN users AS u ON u.id = t.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
  WHERE t.hash = ${hash} AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    AND /*part accounts/in-good-standing*/
