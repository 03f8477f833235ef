UPDATE users
SET password_hash = ${hash}, password_set_at = now(), credentials_version = credentials_version + 1, updated_at = clock_timestamp(),
  revision = revision + 1
WHERE id = ${id}
