import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digestOf, madeWhenAsked, type StaticFile } from './static-server.ts';

/** The same distance from `src/site` and from `dist/site`. */
const folder = new URL('../../pages/docs/', import.meta.url);
const require = createRequire(import.meta.url);

const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** Everything that the documentation page loads from here; nothing else in these folders is served. */
const ownAssets = [
  { name: 'docs.css', mediaType: css },
  { name: 'reference.css', mediaType: css },
  { name: 'docs.js', mediaType: js },
  { name: 'search.js', mediaType: js },
  { name: 'reference.js', mediaType: js },
  { name: 'local-references.js', mediaType: js },
].map((asset) => ({ ...asset, read: () => readFileSync(new URL(asset.name, folder)) }));

const swaggerUi = (name: string): Buffer => readFileSync(require.resolve(`swagger-ui-dist/${name}`));
const swaggerAssets = [
  { name: 'swagger-ui.css', mediaType: css },
  { name: 'swagger-ui-bundle.js', mediaType: js },
].map((asset) => ({ ...asset, read: () => swaggerUi(asset.name) }));

/**
 * Named after all files, as they belong together: another one is another address, so browsers need not ask again. Those of
 * a release of Swagger UI never change, so its version is enough and two megabytes are not read before they are needed.
 */
export const docsAssetsFolder = `docs/assets/${digestOf(
  swaggerUi('package.json'),
  ...ownAssets.map(({ read }) => read()),
)}`;

/** What the documentation page loads. */
export const docsAssets: readonly StaticFile[] = [...swaggerAssets, ...ownAssets].map(({ name, mediaType, read }) =>
  madeWhenAsked(
    { path: `/api/${docsAssetsFolder}/${name}`, mediaType, route: '/api/docs/assets', isImmutable: true },
    read,
  ),
);
