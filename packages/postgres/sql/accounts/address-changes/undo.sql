UPDATE address_changes SET undone_at = now() WHERE undo_hash = ${undoing} AND undone_at IS NULL AND undo_until > now()
RETURNING user_id AS "user", old_email AS "email", old_email_key AS "emailKey", confirmed_at AS "confirmedAt",
  created_at AS "since"
