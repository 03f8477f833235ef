DELETE FROM passkeys WHERE id = ${id} AND user_id = ${user}
RETURNING id
