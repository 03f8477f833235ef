import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digestOf, lazyFile, type StaticFile } from './static-file.ts';

/** The path is the same from `src` and `dist`. */
const folder = new URL('../pages/docs/', import.meta.url);
const require = createRequire(import.meta.url);

const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** Our own assets of the documentation page; other files in this folder are not served. */
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
 * Content-addressed over all files, because they depend on each other: new content has a new URL, so browsers need not
 * revalidate. For Swagger UI the version suffices, which avoids reading two megabytes at startup.
 */
export const docsAssetsFolder = `docs/assets/${digestOf(
  swaggerUi('package.json'),
  ...ownAssets.map(({ read }) => read()),
)}`;

/** Assets of the documentation page. */
export const docsAssets: readonly StaticFile[] = [...swaggerAssets, ...ownAssets].map(({ name, mediaType, read }) =>
  lazyFile({ path: `/api/${docsAssetsFolder}/${name}`, mediaType, route: '/api/docs/assets', isImmutable: true }, read),
);
