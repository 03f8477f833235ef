SELECT /*part change-sets/columns*/
FROM change_sets
WHERE /*part change-sets/filter*/
ORDER BY
  CASE ${createdOrder}::text WHEN 'asc' THEN created_at END,
  CASE ${createdOrder}::text WHEN 'desc' THEN created_at END DESC,
  CASE ${updatedOrder}::text WHEN 'asc' THEN updated_at END,
  CASE ${updatedOrder}::text WHEN 'desc' THEN updated_at END DESC,
  created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
