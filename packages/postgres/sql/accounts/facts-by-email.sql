/*part accounts/facts-rows*/
WHERE u.email_key = ${emailKey}
