import { z } from 'zod';

/** A value that may be left out; written as null it is left out as well, and it is never read as null. */
export type Absentable<S extends z.ZodType> = z.ZodCodec<z.ZodOptional<z.ZodNullable<S>>, z.ZodOptional<S>>;

/**
 * All there is to know about one settings key. Zone settings and rule overrides are both built from it, and so
 * are their descriptions for people and programs.
 */
export interface Setting<
  S extends z.ZodType = z.ZodType,
  InZone extends z.ZodType = z.ZodType,
  InOverrides extends z.ZodType = z.ZodType,
> {
  /** A value of this key. */
  readonly schema: S;
  /** The value a new zone gets; undefined: none. */
  readonly default: z.output<S> | undefined;
  /** Meaning and unit. */
  readonly description: string;
  /** The member of zone settings. */
  readonly inZone: InZone;
  /** The member of a rule's overrides: absent means that the rule leaves the key alone. */
  readonly inOverrides: InOverrides;
}

/** Definitions by key. */
export type Settings = Readonly<Record<string, Setting>>;

/** A key that every zone has a value for. A default that the schema refuses throws at start-up. */
export const setting = <S extends z.ZodType>(
  schema: S,
  defaultValue: z.input<S>,
  description: string,
): Setting<S, z.ZodPrefault<S>, z.ZodOptional<S>> => {
  const complete = schema.parse(defaultValue);
  return {
    schema,
    default: complete,
    description,
    // Parsed anew for every zone, so that no two zones share an object; complete, so that descriptions show it all.
    inZone: schema.prefault(complete as z.input<S>).meta({ description }),
    inOverrides: schema.optional().meta({ description }),
  };
};

/** A key without a value unless one is written. */
export const optionalSetting = <S extends z.ZodType>(
  schema: S,
  description: string,
): Setting<S, Absentable<S>, Absentable<S>> => ({
  schema,
  default: undefined,
  description,
  inZone: absentable(schema).meta({ description }),
  inOverrides: absentable(schema).meta({ description }),
});

/** A codec describes both forms: null is accepted, yet no reader has to expect it. */
const absentable = <S extends z.ZodType>(schema: S): Absentable<S> =>
  z.codec(schema.nullable().optional(), schema.optional(), {
    // Both sides are the same schema, whose output can be its input again.
    decode: (value) => (value ?? undefined) as z.input<S> | undefined,
    // As above.
    encode: (value) => value as z.output<S> | undefined,
  });

type Shape<D extends Settings, Place extends 'inZone' | 'inOverrides'> = {
  readonly [Key in keyof D]: D[Key][Place];
};

/** The members of an object that holds these keys. */
export const shapeOf = <D extends Settings, Place extends 'inZone' | 'inOverrides'>(definitions: D, place: Place) =>
  // `Object.fromEntries` forgets that every key has its own schema.
  Object.fromEntries(Object.entries(definitions).map(([key, each]) => [key, each[place]])) as Shape<D, Place>;

/** The same object without the members that have no value. */
export const withoutAbsent = <T extends object>(value: T): T =>
  // Only optional members can be absent, so what remains is a T.
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
