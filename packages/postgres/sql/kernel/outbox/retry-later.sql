UPDATE outbox_mails SET due_at = now() + make_interval(secs => ${delaySeconds}) WHERE id = ${id} AND done_at IS NULL
