/**
 * An object with the members of `named`, each of which is made when it is first used: a unit of work needs few of its
 * tables and repositories.
 */
export function lazily<T extends object>(
  named: Readonly<Record<keyof T, unknown>>,
  make: (name: keyof T) => unknown,
): T {
  const made = new Map<PropertyKey, unknown>();
  const get = (_: object, name: PropertyKey): unknown => {
    // It is a name of `named`, which are those of `T`.
    if (!made.has(name) && name in named) made.set(name, make(name as keyof T));
    return made.get(name);
  };
  // The proxy has the names of `T`, and `make` makes its members.
  return new Proxy(named, { get }) as T;
}
