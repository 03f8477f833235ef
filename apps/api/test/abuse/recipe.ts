import type { Database } from '@zonewright/postgres';
import type { AbusedOrganization, Attacker } from './world.ts';

/** A request of a flood. */
export interface Call {
  readonly path: string;
  /** Sent in the media type of the method, unless it is a text already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a flood is directed at. */
export interface Scene {
  readonly organization: AbusedOrganization;
  readonly attacker: Attacker;
  /** Creates things without limits. */
  readonly workshop: { readonly url: string; readonly database: Database };
}

/** The n-th request of a flood, from 0. */
export type Flood = (number: number) => Call;

/** Prepares the most expensive flood of a route that a caller can make. */
export type Recipe = (scene: Scene) => Flood | Promise<Flood>;

/** Recipes by method and path, as the route table states them. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** The same request again and again. */
export const always =
  (call: (scene: Scene) => Call): Recipe =>
  (scene) => {
    const made = call(scene);
    return () => made;
  };

/** The entries in turn; from the start again when they have all been used. */
export const inTurn = <T>(entries: readonly T[], number: number): T => {
  const entry = entries[number % entries.length];
  if (entry === undefined) throw new Error('There is nothing to flood with.');
  return entry;
};

/** Prepares several things one after another. */
export async function several<T>(count: number, make: () => Promise<T>): Promise<readonly T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make());
  return made;
}

/** Matches every entity tag. */
export const anyVersion = { 'if-match': '*' };
