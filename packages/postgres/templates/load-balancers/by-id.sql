SELECT <%~ include('@load-balancer-columns') %>
FROM load_balancers AS b
WHERE b.id = ${id} AND b.organization_id = ${organization}
