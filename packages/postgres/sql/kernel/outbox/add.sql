INSERT INTO outbox_mails (id, payload, priority, notified_user_id, notice)
VALUES (${id}, ${payload}, ${priority}, ${user}, ${notice})
