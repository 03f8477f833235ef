SELECT count(*)::int AS "count" FROM outbox_mails
WHERE notified_user_id = ${user} AND notice = ${notice} AND created_at > now() - make_interval(secs => ${seconds})
