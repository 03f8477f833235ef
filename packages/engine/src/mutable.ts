/** An object under construction: optional members are added if they have a value. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
