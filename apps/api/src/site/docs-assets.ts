import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digestOf, type StaticFile } from './static-server.ts';

/** The same distance from `src/site` and from `dist/site`. */
const folder = new URL('../../pages/docs/', import.meta.url);
const { resolve } = createRequire(import.meta.url);

const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** Everything that the documentation page loads from here; nothing else in these folders is served. */
const assets = [
  { name: 'swagger-ui.css', mediaType: css, body: readFileSync(resolve('swagger-ui-dist/swagger-ui.css')) },
  { name: 'swagger-ui-bundle.js', mediaType: js, body: readFileSync(resolve('swagger-ui-dist/swagger-ui-bundle.js')) },
  ...[
    ['docs.css', css] as const,
    ['reference.css', css] as const,
    ['docs.js', js] as const,
    ['search.js', js] as const,
    ['reference.js', js] as const,
    ['local-references.js', js] as const,
  ].map(([name, mediaType]) => ({ name, mediaType, body: readFileSync(new URL(name, folder)) })),
];

/** Named after all files, as they belong together: another one is another address, so nobody needs to ask again. */
export const docsAssetsFolder = `docs/assets/${digestOf(...assets.map(({ body }) => body))}`;

/** What the documentation page loads. */
export const docsAssets: readonly StaticFile[] = assets.map(({ name, ...file }) => ({
  ...file,
  path: `/api/${docsAssetsFolder}/${name}`,
  route: '/api/docs/assets',
  isImmutable: true,
}));
