/**
 * Makes objects whose members are made from a context when they are first used: a unit of work needs few of its
 * repositories, a request one or two use cases.
 */
export function lazily<C, T extends object>(
  makers: {
    readonly [Name in keyof T]: (context: C) => T[Name];
  },
): (context: C) => T {
  const contexts = new WeakMap<object, C>();
  const getterOf = (name: string, make: (context: C) => unknown) => ({
    get(this: object): unknown {
      // Only objects made below have this prototype, and each has a context.
      const value = make(contexts.get(this) as C);
      Object.defineProperty(this, name, { value });
      return value;
    },
  });
  const getters = Object.entries<(context: C) => unknown>(makers).map(([name, make]) => [name, getterOf(name, make)]);
  const prototype: object = Object.create(null, Object.fromEntries(getters));
  return (context) => {
    const object: object = Object.create(prototype);
    contexts.set(object, context);
    // The getters of the prototype are those of `makers`.
    return object as T;
  };
}
