-- Never later than before: whoever tries while blocked does not make the block longer.
UPDATE rate_limits SET expire = least(expire, (extract(epoch FROM now()) * 1000)::bigint + ${seconds} * 1000)
WHERE key = ${key} AND points >= ${points}
RETURNING expire
