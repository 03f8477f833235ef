SELECT promotions.id, promotions.zone_id AS "zoneId", promotions.source_id AS "from",
  promotions.from_revision AS "fromRevision", promotions.to_revision AS "toRevision",
  promotions.base_from_revision AS "baseFromRevision", promotions.base_to_revision AS "baseToRevision",
  promotions.change_set_id AS "changeSet", promotions.created_by AS "createdBy", promotions.created_at AS "createdAt"
FROM promotions
WHERE zone_id = ${zone}
ORDER BY created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
