SELECT <%~ include('@change-set-columns') %>
FROM change_sets
WHERE <%~ include('@change-set-filter') %>
ORDER BY
  CASE ${createdOrder}::text WHEN 'asc' THEN created_at END,
  CASE ${createdOrder}::text WHEN 'desc' THEN created_at END DESC,
  CASE ${updatedOrder}::text WHEN 'asc' THEN updated_at END,
  CASE ${updatedOrder}::text WHEN 'desc' THEN updated_at END DESC,
  created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
