-- A move of a rule writes a new row with its content. Out of line, a long content is not written again; this takes effect
-- when a row is next written.
ALTER TABLE rules ALTER COLUMN content SET STORAGE EXTENDED;
