import { defaultSettings, type Settings as EngineSettings, type SettingKey } from '@zonewright/engine';
import { z } from 'zod';

/** An optional value; null is accepted as absent, but never returned. */
export type NullishCodec<S extends z.ZodType> = z.ZodCodec<z.ZodOptional<z.ZodNullable<S>>, z.ZodOptional<S>>;

/** The definition of a settings key. Zone settings, rule overrides and their documentation are derived from it. */
export interface Setting<
  S extends z.ZodType = z.ZodType,
  InZone extends z.ZodType = z.ZodType,
  InOverrides extends z.ZodType = z.ZodType,
> {
  readonly schema: S;
  /** The value in a new zone; undefined: none. */
  readonly default: z.output<S> | undefined;
  /** Meaning and unit. */
  readonly description: string;
  /** The schema of the member in zone settings. */
  readonly inZone: InZone;
  /** The schema of the member in a rule's overrides; absent means not overridden. */
  readonly inOverrides: InOverrides;
}

/** Definitions by key. */
export type Settings = Readonly<Record<string, Setting>>;

/**
 * What core adds to the engine's table, which has the shapes of values: a schema with their limits, whose values must have
 * that shape, and their meaning and unit.
 */
type Definitions = {
  readonly [Key in SettingKey]?: readonly [schema: z.ZodType<NonNullable<EngineSettings[Key]>>, description: string];
};

/** A key without a default has no value unless one is written. */
type SettingOf<Key, S extends z.ZodType> = Key extends SettingKey
  ? null extends EngineSettings[Key]
    ? Setting<S, NullishCodec<S>, NullishCodec<S>>
    : Setting<S, z.ZodPrefault<S>, z.ZodOptional<S>>
  : never;

type SettingsOf<D extends Definitions> = {
  readonly [Key in keyof D]: D[Key] extends readonly [infer S extends z.ZodType, string] ? SettingOf<Key, S> : never;
};

/** Settings with the engine's defaults. Throws at start-up if a schema rejects its default. */
export const settings = <const D extends Definitions>(definitions: D): SettingsOf<D> =>
  // `Object.fromEntries` loses the type of each key.
  Object.fromEntries(
    Object.entries(definitions).map(([key, [schema, description]]) => {
      // As above.
      const value = defaultSettings[key as SettingKey];
      return [key, value === null ? optional(schema, description) : withDefault(schema, value, description)];
    }),
  ) as SettingsOf<D>;

const withDefault = (schema: z.ZodType, value: unknown, description: string): Setting => {
  const complete = schema.parse(value);
  return {
    schema,
    default: complete,
    description,
    // Parsed anew for every zone, so that zones share no objects; complete, so that generated documentation shows all
    // of it.
    inZone: schema.prefault(complete).meta({ description }),
    inOverrides: schema.optional().meta({ description }),
  };
};

const optional = (schema: z.ZodType, description: string): Setting => ({
  schema,
  default: undefined,
  description,
  inZone: nullishCodec(schema).meta({ description }),
  inOverrides: nullishCodec(schema).meta({ description }),
});

/** A codec describes both directions: null is accepted but never read. */
const nullishCodec = <S extends z.ZodType>(schema: S): NullishCodec<S> =>
  z.codec(schema.nullable().optional(), schema.optional(), {
    // Both sides have the same schema, whose output is valid as its input.
    decode: (value) => (value ?? undefined) as z.input<S> | undefined,
    // As above.
    encode: (value) => value as z.output<S> | undefined,
  });

type Shape<D extends Settings, Place extends 'inZone' | 'inOverrides'> = {
  readonly [Key in keyof D]: D[Key][Place];
};

/** The members of an object with these keys. */
export const shapeOf = <D extends Settings, Place extends 'inZone' | 'inOverrides'>(definitions: D, place: Place) =>
  // `Object.fromEntries` loses the type of each key.
  Object.fromEntries(Object.entries(definitions).map(([key, each]) => [key, each[place]])) as Shape<D, Place>;
