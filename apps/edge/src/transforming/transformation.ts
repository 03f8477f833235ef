/** Work for a process that decodes foreign formats. */
export type Job = ImageJob | PageJob;

/** An image, and the form that it is to get. */
export interface ImageJob {
  readonly type: 'image';
  readonly body: Buffer;
  readonly target: ImageTarget;
  /** As its head says; it is not decoded if it has more. */
  readonly pixels: number;
}

/** What an image is made into. */
export interface ImageTarget {
  readonly format: 'avif' | 'webp' | 'jpeg' | 'png';
  readonly quality: number;
  /** A copy that would look worse is not made; only for PNG. */
  readonly minQuality: number;
}

/** A page that is to be minified, in the coding in which it came. */
export interface PageJob {
  readonly type: 'page';
  readonly body: Buffer;
  readonly coding: PageCoding;
}

/** Content codings of pages that can be read. */
export const pageCodings = ['identity', 'gzip', 'br'] as const;
export type PageCoding = (typeof pageCodings)[number];

/** What may be done with the body of a response. */
export interface Transformation {
  /** Bodies above this many bytes pass as they came; 0: all do. */
  readonly maxBytes: number;
  /** Whether a body that begins with these bytes may get another form. */
  readonly mayApply: (start: Buffer) => boolean;
  /** Undefined: the body stays as it came. */
  readonly jobFor: (body: Buffer) => Job | undefined;
  /** Whether the result depends on the request's `Accept`. */
  readonly variesByAccept: boolean;
}

/**
 * How work on a body ended. `kept`: it has no smaller form, or could not be read; `refused`: there was no place for it;
 * `killed`: it took too long or too much memory, or nobody waited for it any more.
 */
export type Outcome =
  | { readonly type: 'made'; readonly body: Buffer }
  | { readonly type: 'kept' | 'refused' | 'killed' };

/** The type of what a job makes; undefined: that of the original. */
export const contentTypeOf = (job: Job): string | undefined =>
  job.type === 'image' ? `image/${job.target.format}` : undefined;
