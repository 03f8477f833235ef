INSERT INTO address_changes (
  confirm_hash, undo_hash, user_id, session_id, old_email, old_email_key, new_email, new_email_key, credentials_version,
  confirm_until, undo_until
)
SELECT ${confirmation}, ${undoing}, id, ${session}, email, email_key, ${to}, ${toKey}, credentials_version,
  now() + make_interval(secs => ${confirmSeconds}), now() + make_interval(secs => ${undoSeconds})
FROM users WHERE id = ${user}
RETURNING old_email AS "email"
