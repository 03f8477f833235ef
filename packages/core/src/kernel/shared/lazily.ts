/**
 * Creates objects whose members are made from a context when they are first used: a unit of work needs few of its
 * repositories, and a request one or two use cases.
 */
export const lazily =
  <C, T extends object>(makers: { readonly [Name in keyof T]: (context: C) => T[Name] }): ((context: C) => T) =>
  (context) => {
    const members = new Map<PropertyKey, unknown>();
    const get = (_: object, name: PropertyKey): unknown => {
      // Names of `makers` are those of `T`.
      if (!members.has(name) && name in makers) members.set(name, makers[name as keyof T](context));
      return members.get(name);
    };
    // The proxy has the names of `makers`, which are those of `T`, and the values that they make.
    return new Proxy(makers, { get }) as T;
  };
