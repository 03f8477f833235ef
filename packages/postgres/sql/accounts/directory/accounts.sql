SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.active,
  u.email_verified_at IS NOT NULL AS "emailVerified", EXISTS (SELECT FROM second_factors WHERE user_id = u.id) AS "twoFactorEnabled",
  u.created_at AS "createdAt",
  (SELECT count(*)::int FROM memberships AS m WHERE m.user_id = u.id) AS "organizations"
FROM users AS u
WHERE ${after}::uuid IS NULL OR u.id > ${after}
ORDER BY u.id
LIMIT ${limit}
