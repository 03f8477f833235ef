<%~ include('@account-facts') %>
WHERE u.email_key = ${emailKey}
