import type { Collection, CompressedJson, Item, Members } from '../resources/resource.ts';

/** `Cache-Control` of what never changes: everything between client and service may store it. */
export const immutable = 'public, max-age=31536000, immutable';

/** A successful response of a route. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly body?: Item | Collection | Members | CompressedJson;
  /** Defaults to the address of a created item. */
  readonly location?: string;
  /** Additional header fields for this response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** A credential that the response shows: it is known to be good. */
  readonly issued?: string;
  /** Points of the caller's general budget that the answer is worth besides the one of every request. */
  readonly points?: number;
  /** Defaults to `no-store`. */
  readonly cacheControl?: 'private, no-cache' | typeof immutable;
}

/** An answer whose status comes from the route's description; 200 overrides it where nothing was created. */
export type PresentedAnswer = Omit<Answer, 'status'> & { readonly status?: 200 };

/** Presents what clients may store but must revalidate: resources, and lists of them. */
export const revalidated = (body: Item | Collection): PresentedAnswer => ({ body, cacheControl: 'private, no-cache' });
