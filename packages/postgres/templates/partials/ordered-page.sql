page AS MATERIALIZED (
  -- Merges the indexes of the organizations<%= it.perTag ? ' and tags' : '' %>, reading no more of each than the page can show.
  SELECT z.id, row_number() OVER (ORDER BY <%= it.order %>) AS place
  FROM (
    -- The number of preceding zones equals the number of indexes whose first zone comes before this one's.
    SELECT own.organization, <%= it.perTag ? 'wanted.tag, ' : '' %>row_number() OVER (ORDER BY <%= it.orderOfFirst %>) - 1 AS preceding
    FROM own <%= it.perTag ? 'CROSS JOIN unnest(${tags}::text[]) AS wanted (tag) ' : '' %>CROSS JOIN LATERAL (
      SELECT <%= it.columns %> FROM zones
      WHERE organization_id = own.organization<%= it.perTag ? ' AND tag = wanted.tag' : '' %>
      ORDER BY <%= it.indexOrder %>
      LIMIT 1
    ) AS first
  ) AS own CROSS JOIN LATERAL (
    SELECT <%= it.columns %> FROM zones
    WHERE organization_id = own.organization<%= it.perTag ? ' AND tag = own.tag' : '' %>
    ORDER BY <%= it.indexOrder %>
    LIMIT greatest(${limit}::integer + ${offset}::integer - own.preceding, 0)
  ) AS z
  ORDER BY place
  LIMIT ${limit} OFFSET ${offset}
)
