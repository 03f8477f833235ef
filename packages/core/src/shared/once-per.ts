/** Makes something of an object once, and keeps it as long as the object. For objects that never change. */
export const oncePer = <O extends object, T>(make: (object: O) => T): ((object: O) => T) => {
  const made = new WeakMap<O, { readonly value: T }>();
  return (object) => {
    const known = made.get(object);
    if (known !== undefined) return known.value;
    const value = make(object);
    made.set(object, { value });
    return value;
  };
};
