-- The time of a commit is from the primary's clock, so it is compared with a time from there.
SELECT
  greatest(pg_wal_lsn_diff(${position}::pg_lsn, replayed.position), 0)::float8 AS "bytes",
  CASE
    WHEN replayed.position >= ${position}::pg_lsn THEN 0
    -- Without a commit since the standby has started, the time is unknown, which GREATEST would turn into 0.
    WHEN replayed.at IS NOT NULL THEN greatest(${at}::float8 - replayed.at, 0)
  END AS "seconds"
FROM (
  SELECT pg_last_wal_replay_lsn() AS position, extract(epoch FROM pg_last_xact_replay_timestamp())::float8 AS at
) AS replayed
WHERE pg_is_in_recovery()
