-- One row, or none if the credential is not live.
WITH <%~ include('@caller') %>
SELECT <%~ include('@caller-columns') %>,
  (<%~ include('@memberships') %>) AS "memberships"
FROM caller AS c
