/** Memoizes a function per object, for as long as the object lives. Only for immutable objects. */
export const memoized = <O extends object, T>(make: (object: O) => T): ((object: O) => T) => {
  const made = new WeakMap<O, { readonly value: T }>();
  return (object) => {
    const known = made.get(object);
    if (known !== undefined) return known.value;
    const value = make(object);
    made.set(object, { value });
    return value;
  };
};
