INSERT INTO users (id, email, email_key, password_hash, first_name, last_name)
VALUES (${id}, ${email}, ${emailKey}, ${passwordHash}, ${firstName}, ${lastName})
ON CONFLICT ON CONSTRAINT users_email_key_unique DO NOTHING
RETURNING id
