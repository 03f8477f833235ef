SELECT z.* FROM own /*wanted*/
    CROSS JOIN LATERAL (
      SELECT /*keys*/ FROM zones WHERE organization_id = own.organization /*tagged*/
      ORDER BY /*inner*/
      LIMIT ${limit}::integer + ${offset}::integer
    ) AS z
