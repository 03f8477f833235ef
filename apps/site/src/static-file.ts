import { createHash } from 'node:crypto';
import { lazy } from './lazy.ts';

/** A file that does not change while the service runs: a page, an asset or a document. */
export interface StaticFile {
  readonly path: string;
  /** With parameters, such as `text/html; charset=utf-8`. */
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** Additional header fields of this file. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path template for logs and metrics, when the path varies between releases. */
  readonly route?: string;
  /** Whether browsers may show it to pages of any origin: a description of the API that is the same for everybody. */
  readonly isForAnyOrigin?: boolean;
  /** Whether the path identifies the content, so that clients may cache it indefinitely. */
  readonly isImmutable?: boolean;
}

/** A generated text file. */
export interface StaticDocument extends StaticFile {
  readonly body: string;
}

/** A file whose content is produced on first request: most instances never serve most files. */
export function lazyFile<Body extends string | Buffer>(
  file: Omit<StaticFile, 'body'>,
  make: () => Body,
): StaticFile & { readonly body: Body } {
  const body = lazy(make);
  return {
    ...file,
    get body() {
      return body();
    },
  };
}

/** A short content hash for entity tags and URLs. */
export const digestOf = (...contents: readonly (string | Buffer)[]): string =>
  contents
    .reduce((hash, content) => hash.update(content), createHash('sha256'))
    .digest('base64url')
    .slice(0, 22);
