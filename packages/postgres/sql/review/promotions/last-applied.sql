SELECT promotions.id, promotions.zone_id AS "zoneId", promotions.source_id AS "from",
  promotions.from_revision AS "fromRevision", promotions.to_revision AS "toRevision",
  promotions.base_from_revision AS "baseFromRevision", promotions.base_to_revision AS "baseToRevision",
  promotions.change_set_id AS "changeSet", promotions.created_by AS "createdBy", promotions.created_at AS "createdAt"
FROM promotions JOIN change_sets ON change_sets.id = promotions.change_set_id
WHERE promotions.zone_id = ${zone} AND source_id = ${from} AND applied_at IS NOT NULL
ORDER BY applied_at DESC, promotions.id DESC
LIMIT 1
