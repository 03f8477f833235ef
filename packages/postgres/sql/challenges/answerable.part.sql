c.hash = ${hash} AND c.attempts < ${maxAttempts} AND c.spent_at IS NULL AND c.expires_at > now()
  AND u.credentials_version = c.credentials_version AND /*part accounts/in-good-standing*/
