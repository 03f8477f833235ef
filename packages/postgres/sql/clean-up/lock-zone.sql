-- Drafts are made while the zone is locked. Whoever changes it does not wait.
SELECT FROM zones WHERE id = ${zone} FOR KEY SHARE
