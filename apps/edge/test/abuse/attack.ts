import type { RequestListener } from 'node:http';
import type { ZoneDraft } from '../support/documents.ts';

/** Where an attack takes place. */
export interface Scene {
  /** The port of the edge. */
  readonly edge: number;
  /** The port of the attacker's own origin. */
  readonly origin: number;
}

/** What the owner of one zone, or a stranger who asks for it, does to an edge. */
export interface Attack {
  readonly name: string;
  /** The zone, which answers `attacked.example`, and others that the attack needs. */
  readonly zones: (scene: Scene) => readonly ZoneDraft[];
  /** Milliseconds after which all zones have a new revision, again and again. */
  readonly changes?: number;
  /** How the zone's origin answers. */
  readonly origin?: RequestListener;
  /** Goes on until the signal; what it opened is closed by the end of its process. */
  readonly run: (scene: Scene, signal: AbortSignal) => Promise<void>;
}

/** The name that the attacked zone answers. */
export const attackedHost = 'attacked.example';
