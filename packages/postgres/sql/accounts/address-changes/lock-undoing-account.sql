-- Lock order: account, then change.
SELECT id FROM users WHERE id = (SELECT user_id FROM address_changes WHERE undo_hash = ${undoing}) FOR UPDATE
