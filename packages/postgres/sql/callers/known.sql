SELECT ${id}::uuid AS user_id
