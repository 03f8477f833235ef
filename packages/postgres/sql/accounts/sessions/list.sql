SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", user_agent AS "userAgent",
  methods && ARRAY['otp', 'mfa'] AS "twoFactor"
FROM sessions
WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now()
ORDER BY last_used_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
