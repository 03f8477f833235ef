t.hash = ${hash} AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > now()
  AND u.credentials_version = t.credentials_version
