UPDATE users SET email_verified_at = now() WHERE id = $1
