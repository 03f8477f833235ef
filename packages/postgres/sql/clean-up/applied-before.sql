-- Of the revisions that they became, none can be read any more. Those of promotions stay: the next promotion begins with what the last
-- one brought.
DELETE FROM change_sets WHERE zone_id = ${zone} AND applied_revision < ${number}
  AND NOT EXISTS (SELECT FROM promotions WHERE change_set_id = change_sets.id)
  AND NOT EXISTS (/*part clean-up/drafts-before*/)
