/** An object that is still being made: optional members are added where they have a value. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
