<%~ include('@account-facts') %>
WHERE u.id = ${id}
