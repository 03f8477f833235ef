-- Revisions are copied in any order.
SET CONSTRAINTS zone_revisions_contents, zone_revisions_rest DEFERRED
