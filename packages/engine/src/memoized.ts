/** Memoizes a function per object, for as long as the object lives. Only for immutable objects. */
export const memoized = <Key extends object, Made>(make: (key: Key) => Made): ((key: Key) => Made) => {
  const all = new WeakMap<Key, { readonly made: Made }>();
  return (key) => {
    const entry = all.get(key);
    if (entry !== undefined) return entry.made;
    const made = make(key);
    all.set(key, { made });
    return made;
  };
};
