(active AND email_verified_at IS NOT NULL)
