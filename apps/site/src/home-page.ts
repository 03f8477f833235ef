import { readFileSync } from 'node:fs';
import { scriptlessPage } from './content-security-policy.ts';
import { lazyFile, type StaticDocument } from './static-file.ts';

/** `/` for people: introduction and links. Other clients get the API entrypoint at this address. */
export const homePage: StaticDocument = lazyFile({ ...scriptlessPage, path: '/' }, () =>
  readFileSync(new URL('../pages/home.html', import.meta.url), 'utf8'),
);
