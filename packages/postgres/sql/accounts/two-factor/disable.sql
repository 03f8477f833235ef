WITH removed AS (
  DELETE FROM two_factor
  WHERE user_id = ${user} AND (${unconfirmedForSeconds}::integer IS NULL OR (
    state = 'enabled' AND NOT enrolled_by_confirmed
      AND created_at > now() - make_interval(secs => ${unconfirmedForSeconds}::integer)
  ))
  RETURNING user_id
), codes AS (
  DELETE FROM recovery_codes WHERE user_id IN (SELECT user_id FROM removed)
)
SELECT EXISTS (SELECT FROM removed) AS "isRemoved"
