/** Sets an entry as the newest one. If there are more than `most`, drops the oldest one and returns its value. */
export function setNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): Value | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return undefined;
  const [oldest = key] = map.keys();
  const dropped = map.get(oldest);
  map.delete(oldest);
  return dropped;
}
