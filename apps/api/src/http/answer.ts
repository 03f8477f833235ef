import type { Collection, CompressedJson, Item, Members } from '../resources/resource.ts';

/** `Cache-Control` of resource reads: clients may store the response but must revalidate it. */
export const revalidated = 'private, no-cache';

/** `Cache-Control` of what never changes: everything between client and service may store it. */
export const immutable = 'public, max-age=31536000, immutable';

/** A successful response of a route. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly body?: Item | Collection | Members | CompressedJson;
  readonly location?: string;
  /** Additional header fields for this response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Defaults to `no-store`. */
  readonly cacheControl?: typeof revalidated | typeof immutable;
}

/** An answer whose status comes from the route's description; 200 overrides it where nothing was created. */
export type PresentedAnswer = Omit<Answer, 'status'> & { readonly status?: 200 };
