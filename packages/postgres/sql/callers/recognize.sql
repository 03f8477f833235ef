-- One row, or none if the credential is not live.
WITH caller AS MATERIALIZED (
  /*caller*/
), own AS (
  /*memberships*/
)
SELECT /*columns*/
  (SELECT /*memberships-as-json*/ FROM own) AS "memberships"
FROM caller AS a
