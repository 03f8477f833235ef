-- Runs after the address has been taken: taking it waited for whoever gave it up, so their reservation is visible.
SELECT count(*)::int AS "count" FROM address_changes
WHERE old_email_key = ${emailKey} AND user_id <> ${user} AND confirmed_at IS NOT NULL AND undone_at IS NULL
  AND undo_until > now()
