applied_at IS NULL AND ends_at > statement_timestamp()
