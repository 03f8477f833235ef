UPDATE address_changes AS c SET confirmed_at = now(), undo_until = now() + make_interval(secs => ${undoSeconds})
FROM users AS u
WHERE u.id = c.user_id AND c.confirm_hash = ${confirmation} AND c.confirmed_at IS NULL AND c.undone_at IS NULL
  AND c.confirm_until > now() AND u.active AND u.credentials_version = c.credentials_version
  AND u.email_key = c.old_email_key
RETURNING c.user_id AS "user", c.session_id AS "session", c.new_email AS "email", c.new_email_key AS "emailKey"
