/** The object without undefined members. */
export const withoutUndefined = <T extends object>(value: T): T =>
  // Only optional members can be undefined, so the rest is still a T.
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
