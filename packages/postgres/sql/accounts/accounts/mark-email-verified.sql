UPDATE users
SET email_verified_at = coalesce(email_verified_at, now()), updated_at = now(), revision = revision + 1
WHERE id = ${id} AND email_key = ${emailKey}
RETURNING id
