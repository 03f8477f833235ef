import { readFileSync } from 'node:fs';
import { scriptlessPage } from './content-security-policy.ts';
import { escaped } from './html.ts';
import { lazyFile, type StaticDocument } from './static-file.ts';

/** Where the page is found among the files. */
export const notFoundPath = '/not-found';

/** For people at an address without a page. Its links start at the base path, because the address may be of any depth. */
export const notFoundPage = ({ publicBaseUrl }: { readonly publicBaseUrl: string }): StaticDocument =>
  lazyFile({ ...scriptlessPage, path: notFoundPath }, () =>
    readFileSync(new URL('../pages/not-found.html', import.meta.url), 'utf8').replaceAll(
      '{{base}}',
      escaped(new URL(publicBaseUrl).pathname.replace(/\/?$/, '/')),
    ),
  );
