-- Without timeouts. Values must have the same text on both sides.
BEGIN;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0;
SET LOCAL TimeZone = 'UTC';
SET LOCAL bytea_output = 'hex'
