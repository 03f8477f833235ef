INSERT INTO outbox_mails (id, payload) VALUES (${id}, ${payload})
