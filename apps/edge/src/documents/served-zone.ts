import type { Engine } from '@zonewright/engine';

/** A zone and everything in it, as a revision of it reads in the API (`state`). The engine checks what it relies on. */
export type ZoneDocument = Readonly<Record<string, unknown>>;

/** A server, or a name that resolves to several, as the API reads it. */
export interface OriginServer {
  readonly kind: 'origin_server';
  readonly id: string;
  readonly protocol: 'http' | 'https';
  readonly address: string;
  readonly port: number;
  /** Absent: the host of the request, or the load balancer's. */
  readonly requestHostname?: string | undefined;
}

/** Distributes requests across origin servers, as the API reads it. */
export interface LoadBalancer {
  readonly kind: 'load_balancer';
  readonly id: string;
  readonly method: string;
  readonly requestHostname?: string | undefined;
  /** `originServer` is an IRI, whose last segment is the id. */
  readonly origins: readonly {
    readonly originServer: string;
    readonly weight?: number | undefined;
    readonly enabled?: boolean | undefined;
  }[];
}

/** A check of an edge's engine: the facts of a request, and what the service's engine answers. */
export interface DocumentCheck {
  readonly request: Readonly<Record<string, unknown>>;
  /** SHA-256 of the evaluation in canonical JSON (RFC 8785); 64 hexadecimal digits. */
  readonly sha256: string;
}

/** All that an edge needs of one zone at one time; immutable, named by its digest. */
export interface EdgeDocument {
  readonly format: 1;
  /** Number of the meaning of configurations. */
  readonly semantics: 1;
  readonly zone: {
    readonly id: string;
    readonly name: string;
    readonly tag: string;
    /** IRI. */
    readonly organization: string;
  };
  readonly revision: number;
  /** Lower-case A-labels; a leading `*.` matches exactly one label. */
  readonly hostnames: readonly string[];
  readonly document: ZoneDocument;
  /** Those that the document refers to, by id. */
  readonly backends: Readonly<Record<string, OriginServer | LoadBalancer>>;
  /** All of the zone, by id; `hash` as the service stores it. */
  readonly basicAuthUsers: Readonly<Record<string, { readonly username: string; readonly hash: string }>>;
  readonly checks: readonly DocumentCheck[];
}

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
