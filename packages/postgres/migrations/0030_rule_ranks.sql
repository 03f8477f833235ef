-- Rules are ordered by rank: moving a rule writes only that rule, and a list is always complete.
ALTER TABLE rules ADD COLUMN rank double precision;
UPDATE rules AS r SET rank = place.rank
FROM rule_orders AS o CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, rank)
WHERE place.id = r.id;
ALTER TABLE rules
  ALTER COLUMN rank SET NOT NULL,
  -- Checked at the end of a statement, so that one statement can reorder a whole list.
  ADD CONSTRAINT rules_rank_unique UNIQUE (zone_id, kind, rank) DEFERRABLE INITIALLY IMMEDIATE;

DROP TRIGGER rules_ordered ON rules;
DROP TRIGGER rule_orders_complete ON rule_orders;
DROP FUNCTION require_complete_rule_order();

-- What remains of a list is its revision, which increases with every write to the list or one of its rules. A list that
-- was never written has no row.
ALTER TABLE rule_orders DROP COLUMN rule_ids;
ALTER TABLE rule_orders RENAME TO rule_lists;
ALTER TABLE rule_lists RENAME CONSTRAINT rule_orders_pkey TO rule_lists_pkey;
ALTER TABLE rule_lists RENAME CONSTRAINT rule_orders_zone_id_fkey TO rule_lists_zone_id_fkey;
