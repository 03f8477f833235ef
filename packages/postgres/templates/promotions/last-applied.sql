SELECT <%~ include('@promotion-columns') %>
FROM promotions JOIN change_sets ON change_sets.id = promotions.change_set_id
WHERE promotions.zone_id = ${zone} AND source_id = ${from} AND applied_at IS NOT NULL
ORDER BY applied_at DESC, promotions.id DESC
LIMIT 1
