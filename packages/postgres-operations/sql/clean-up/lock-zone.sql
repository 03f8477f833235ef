-- Drafts are created while the zone is locked. Changes of the zone do not wait.
SELECT FROM zones WHERE id = ${zone} FOR KEY SHARE
