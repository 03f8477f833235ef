-- Nobody adds anything to the account, a membership included, until the unit ends.
SELECT id FROM users WHERE id = ${user} FOR UPDATE
