/**
 * A validated value together with its JSON text.
 *
 * Storage keeps such documents as text, and most readers only pass them on: `text` goes into a response unchanged,
 * while `value` is parsed lazily for code that looks inside.
 */
export interface JsonDocument<T> {
  readonly text: string;
  readonly value: T;
}

export const jsonDocument = <T>(value: T): JsonDocument<T> => ({ text: JSON.stringify(value), value });

/** A document whose text was made by `jsonDocument`; it is not validated again. */
export const storedDocument = <T>(text: string): JsonDocument<T> => {
  let parsed: { readonly value: T } | undefined;
  return {
    text,
    get value() {
      // The caller knows the type of what it stored.
      parsed ??= { value: JSON.parse(text) as T };
      return parsed.value;
    },
  };
};
