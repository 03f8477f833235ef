SELECT z.* FROM (
    -- The number of preceding zones equals the number of organizations whose first zone comes before this one's.
    SELECT own.organization /*tag*/, row_number() OVER (ORDER BY /*firsts*/) - 1 AS preceding
    FROM own /*wanted*/
      CROSS JOIN LATERAL (
        SELECT /*keys*/ FROM zones WHERE organization_id = own.organization /*tagged*/
        ORDER BY /*inner*/
        LIMIT 1
      ) AS first
  ) AS own
    CROSS JOIN LATERAL (
      SELECT /*keys*/ FROM zones WHERE organization_id = own.organization /*again*/
      ORDER BY /*inner*/
      LIMIT greatest(${limit}::integer + ${offset}::integer - own.preceding, 0)
    ) AS z
