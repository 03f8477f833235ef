UPDATE outbox_mails SET done_at = now(), payload = NULL WHERE id = ${id} AND done_at IS NULL
