-- A trigger revokes the pending invitations of a blocked account.
UPDATE users SET active = ${active}, updated_at = clock_timestamp(), revision = revision + 1
WHERE id = ${id} AND active <> ${active}
