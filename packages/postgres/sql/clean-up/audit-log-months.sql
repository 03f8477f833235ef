-- Long before an entry needs them.
SELECT make_audit_log_months(3)
