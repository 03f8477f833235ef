SELECT promotions.id, promotions.zone_id AS "zoneId", promotions.source_id AS "from",
  promotions.from_revision AS "fromRevision", promotions.to_revision AS "toRevision",
  promotions.base_from_revision AS "baseFromRevision", promotions.base_to_revision AS "baseToRevision",
  promotions.change_set_id AS "changeSet", promotions.created_by AS "createdBy", promotions.created_at AS "createdAt",
  bytes, CASE WHEN bytes <= ${maxBytes} THEN report::text END AS "report"
FROM promotions
WHERE id = ${id} AND zone_id = ${zone}
