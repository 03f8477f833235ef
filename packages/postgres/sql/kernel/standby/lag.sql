-- Commit times are from the primary's clock, so they are compared with its time.
SELECT
  greatest(pg_wal_lsn_diff(${position}::pg_lsn, replayed.position), 0)::float8 AS "bytes",
  CASE
    WHEN replayed.position >= ${position}::pg_lsn THEN 0
    -- Unknown without a commit since the standby's start; GREATEST would turn null into 0.
    WHEN replayed.at IS NOT NULL THEN greatest(${at}::float8 - replayed.at, 0)
  END AS "seconds"
FROM (
  SELECT pg_last_wal_replay_lsn() AS position, extract(epoch FROM pg_last_xact_replay_timestamp())::float8 AS at
) AS replayed
WHERE pg_is_in_recovery()
