import { readFileSync } from 'node:fs';
import { colouredCode } from './coloured-code.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { docsAssetsFolder } from './docs-assets.ts';
import { escaped } from './html.ts';
import { lazyFile, type StaticDocument } from './static-file.ts';

/** An operation of the API, with its path as in the route table: `/api/zones/:id`. */
export interface DocsOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Operations on one kind of resource. */
export interface DocsSection {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DocsOperation[];
}

/** The path is the same from `src` and `dist`. */
const template = (): string =>
  readFileSync(new URL('../pages/docs/docs.html', import.meta.url), 'utf8').replace(
    /(?<=<pre class="\w+"><code>)[^]*?(?=<\/code>)/g,
    colouredCode,
  );

/** Everything is same-origin: the page reads the OpenAPI document and sends requests to the API. */
const policy = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  // Swagger UI has its icons in its style sheet; images in responses are data URIs too.
  'img-src': "'self' data:",
  'font-src': "'self'",
});

/**
 * `/api/docs` for people: a guide with commands for this service, and all operations. Without JavaScript the operations
 * are a list; with it, Swagger UI replaces the list and keeps its URL fragments working.
 */
export function docsPage(
  sections: readonly DocsSection[],
  { publicBaseUrl }: { readonly publicBaseUrl: string },
): StaticDocument {
  const file = {
    path: '/api/docs',
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
  };
  return lazyFile(file, () =>
    filled({
      assets: docsAssetsFolder,
      publicBaseUrl: escaped(publicBaseUrl),
      sections: sections.map(entryOf).join('\n'),
      operations: sections.map(sectionOf).join('\n'),
    }),
  );
}

const filled = (values: Readonly<Record<string, string>>): string =>
  template().replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

const entryOf = ({ name }: DocsSection): string => `<li><a href="#${fragmentOf(name)}">${escaped(name)}</a></li>`;

const sectionOf = ({ name, description, operations }: DocsSection): string =>
  `<h3 id="${fragmentOf(name)}">${escaped(name)}</h3>
<p>${escaped(description)}</p>
<ul>
${operations.map((operation) => itemOf(name, operation)).join('\n')}
</ul>`;

const itemOf = (section: string, { id, method, path, summary }: DocsOperation): string =>
  `<li id="${fragmentOf(section, id)}"><code>${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}</code> ${escaped(summary)}</li>`;

/** The fragments that Swagger UI writes into the URL. */
const fragmentOf = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name)}`).join('');
