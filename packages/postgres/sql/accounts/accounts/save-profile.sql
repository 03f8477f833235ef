UPDATE users
SET first_name = ${firstName}, last_name = ${lastName}, updated_at = clock_timestamp(), revision = revision + 1
WHERE id = ${id}
