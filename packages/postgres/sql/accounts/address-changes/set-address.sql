UPDATE users
SET email = ${email}, email_key = ${emailKey}, email_verified_at = now(), updated_at = now(), revision = revision + 1
WHERE id = ${user}
