import { readFileSync } from 'node:fs';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { lazyFile, type StaticDocument } from './static-file.ts';

/** `/` for people: introduction and links. Other clients get the API entrypoint at this address. */
export const homePage: StaticDocument = lazyFile(
  {
    path: '/',
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': contentSecurityPolicy({ 'style-src': "'self'", 'img-src': "'self'" }) },
  },
  () => readFileSync(new URL('../pages/home.html', import.meta.url), 'utf8'),
);
