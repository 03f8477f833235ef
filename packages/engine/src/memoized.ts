/** Memoizes a function per object, for as long as the object lives. Only for immutable objects. */
export function memoized<Key extends object, Made extends NonNullable<unknown>>(
  make: (key: Key) => Made,
): (key: Key) => Made {
  const all = new WeakMap<Key, Made>();
  return (key) => {
    const known = all.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    all.set(key, made);
    return made;
  };
}
