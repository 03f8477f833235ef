-- Authenticators that do not count always say zero.
UPDATE passkeys SET counter = ${counter}, backed_up = ${backedUp}, last_used_at = now()
WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))
RETURNING id
