/**
 * A checked value together with its JSON text.
 *
 * Storage keeps such documents as text, and most readers only pass them on: `text` can be written into an answer
 * as it is, while `value` is parsed for those who look inside.
 */
export interface JsonDocument<T> {
  readonly text: string;
  readonly value: T;
}

export const jsonDocument = <T>(value: T): JsonDocument<T> => ({ text: JSON.stringify(value), value });

/** A document whose text was made by `jsonDocument` before; it is not checked again. */
export const storedDocument = <T>(text: string): JsonDocument<T> => {
  let parsed: { readonly value: T } | undefined;
  return {
    text,
    get value() {
      // The caller names the type of what it stored.
      parsed ??= { value: JSON.parse(text) as T };
      return parsed.value;
    },
  };
};
