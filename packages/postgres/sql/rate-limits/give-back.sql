-- A window begun later belongs to others: its points were never taken by the one who gives back.
UPDATE rate_limits SET points = points - 1
WHERE key = ${key} AND points > 0 AND expire <= ${windowEndsAt}
