-- One row a membership within the scope of the token, or one without any.
SELECT t.id AS "tokenId", t.user_id AS "userId", t.read_only AS "readOnly", cardinality(t.organizations) > 0 AS "scoped",
  t.last_used_at IS NULL OR t.last_used_at <= now() - interval '1 minute' AS "unnoted",
  /*part memberships/columns*/
FROM api_tokens AS t JOIN users AS u ON u.id = t.user_id
  LEFT JOIN two_factor AS f ON f.user_id = u.id
  LEFT JOIN memberships AS m ON m.user_id = u.id
    AND (cardinality(t.organizations) = 0 OR m.organization_id = ANY (t.organizations))
  LEFT JOIN organizations AS o ON o.id = m.organization_id
WHERE t.hash = ${hash} AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
  AND /*part accounts/in-good-standing*/
ORDER BY m.organization_id
