SELECT <%~ include('@promotion-columns') %>
FROM promotions
WHERE zone_id = ${zone}
ORDER BY created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
