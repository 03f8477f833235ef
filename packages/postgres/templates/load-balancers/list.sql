SELECT <%~ include('@load-balancer-columns') %>
FROM load_balancers AS b
WHERE b.organization_id = ${organization}
ORDER BY b.name_key, b.id
LIMIT ${limit} OFFSET ${offset}
