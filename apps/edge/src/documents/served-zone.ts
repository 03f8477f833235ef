import type { Engine } from '@zonewright/engine';
import type { EdgeDocument } from './edge-document.ts';

/** A zone that can be served: its document, and what the engine made of it. A new document is a new object. */
export interface ServedZone {
  readonly document: EdgeDocument;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly engine: Engine;
}

/** The zones of this edge by host name. */
export interface Zones {
  /** The zone of a `Host` field or authority; `invalid` if it is no host name, `unknown` if it is of no zone. */
  find(host: string): ServedZone | 'unknown' | 'invalid';
}
