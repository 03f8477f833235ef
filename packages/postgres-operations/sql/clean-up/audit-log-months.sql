-- Long before entries need them.
SELECT make_audit_log_months(${months})
