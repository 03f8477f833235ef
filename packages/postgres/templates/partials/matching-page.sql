candidates AS MATERIALIZED (
  SELECT z.* FROM own CROSS JOIN LATERAL (
    SELECT <%= it.columns %> FROM zones
    WHERE organization_id = own.organization AND search_key LIKE ${pattern} ESCAPE '\' AND tag = ANY (${tags})
    -- Reads each organization by its index, however many there might be.
    OFFSET 0
  ) AS z
), <% if (it.order === undefined) { %><%~ include('@ranked-page') %><% } else { %>page AS MATERIALIZED (
  SELECT z.id, row_number() OVER (ORDER BY <%= it.order %>) AS place
  FROM candidates AS z
  ORDER BY place
  LIMIT ${limit} OFFSET ${offset}
)<% } %>
