import { readFileSync } from 'node:fs';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { madeWhenAsked, type StaticDocument } from './static-server.ts';

/** `/`, for people: what this is, and where to go from here. Programs get the entrypoint of the API at this address. */
export const homePage: StaticDocument = madeWhenAsked(
  {
    path: '/',
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': contentSecurityPolicy({ 'style-src': "'self'" }) },
  },
  () => readFileSync(new URL('../../pages/home.html', import.meta.url), 'utf8'),
);
