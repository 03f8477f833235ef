INSERT INTO earlier_rows SELECT unnest(${checksums}::text[])
