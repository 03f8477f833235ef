-- Units that add zones to one organization take turns, so that its limit holds.
SELECT id FROM organizations WHERE id = ${organization} FOR NO KEY UPDATE
