import { readFileSync } from 'node:fs';
import type { Operation } from '../description/model.ts';
import { type Tag, tagOf, tagsOf } from '../description/openapi/tags.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { colouredCode } from './coloured-code.ts';
import { docsAssetsFolder } from './docs-assets.ts';
import { escaped } from './html.ts';
import { madeWhenAsked, type StaticDocument } from './static-server.ts';

/** The same distance from `src/site` and from `dist/site`. */
const template = (): string =>
  readFileSync(new URL('../../pages/docs/docs.html', import.meta.url), 'utf8').replace(
    /(?<=<pre class="\w+"><code>)[^]*?(?=<\/code>)/g,
    colouredCode,
  );

/** Everything comes from this service: the reference reads the OpenAPI document, and what is tried is sent to the API. */
const policy = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  // Swagger UI has its icons in its style sheet, and pictures in answers are data as well.
  'img-src': "'self' data:",
  'font-src': "'self'",
});

/**
 * `/api/docs`, for people: a guide whose commands are for this service, and every operation. Without JavaScript the
 * operations are a list; with it, Swagger UI takes the place of the list and finds the same fragments in the address.
 */
export function docsPage(
  operations: readonly Operation[],
  { publicBaseUrl }: { readonly publicBaseUrl: string },
): StaticDocument {
  const file = {
    path: '/api/docs',
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
  };
  return madeWhenAsked(file, () => {
    const sections = tagsOf(operations);
    return filled({
      assets: docsAssetsFolder,
      publicBaseUrl: escaped(publicBaseUrl),
      sections: sections.map(entryOf).join('\n'),
      operations: sections.map((section) => sectionOf(section, operations)).join('\n'),
    });
  });
}

const filled = (values: Readonly<Record<string, string>>): string =>
  template().replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

const entryOf = ({ name }: Tag): string => `<li><a href="#${fragmentOf(name)}">${escaped(name)}</a></li>`;

const sectionOf = ({ name, description }: Tag, operations: readonly Operation[]): string =>
  `<h3 id="${fragmentOf(name)}">${escaped(name)}</h3>
<p>${escaped(description)}</p>
<ul>
${operations
  .filter((operation) => tagOf(operation).name === name)
  .map((operation) => itemOf(name, operation))
  .join('\n')}
</ul>`;

const itemOf = (section: string, { id, route: { method, path, summary } }: Operation): string =>
  `<li id="${fragmentOf(section, id)}"><code>${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}</code> ${escaped(summary)}</li>`;

/** The fragments that Swagger UI writes into the address. */
const fragmentOf = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name)}`).join('');
