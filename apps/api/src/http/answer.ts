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
  /** Defaults to `no-store`. */
  readonly cacheControl?: 'private, no-cache' | typeof immutable;
}

/** An answer whose status comes from the route's description; 200 overrides it where nothing was created. */
export type PresentedAnswer = Omit<Answer, 'status'> & { readonly status?: 200 };

/** Presents what clients may store but must revalidate: resources, and lists of them. */
export const revalidated = (body: Item | Collection): PresentedAnswer => ({ body, cacheControl: 'private, no-cache' });
