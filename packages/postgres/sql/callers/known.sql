SELECT ${userId}::uuid AS user_id, NULL::integer[] AS scope
