-- One row, or none if the credential is not live.
WITH asker AS MATERIALIZED (
  /*asker*/
), own AS (
  /*memberships*/
)
SELECT /*columns*/
  (SELECT /*memberships-as-json*/ FROM own) AS "memberships"
FROM asker AS a
