/** Computes a value on first use and caches it. */
export function lazy<T>(make: () => T): () => T {
  let memo: { readonly value: T } | undefined;
  return () => {
    memo ??= { value: make() };
    return memo.value;
  };
}
