SELECT count(*)::int AS "mails", coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
FROM outbox_mails WHERE done_at IS NULL
