-- Checksums of rows that the target already has.
CREATE TEMP TABLE earlier_rows (checksum text PRIMARY KEY) ON COMMIT DROP
