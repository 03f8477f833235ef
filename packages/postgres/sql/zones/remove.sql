WITH removed AS (DELETE FROM zones WHERE id = ${id})
DELETE FROM zone_identities WHERE id = ${id}
