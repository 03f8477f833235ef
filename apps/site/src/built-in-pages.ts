import { readdirSync, readFileSync } from 'node:fs';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { lazyFile, type StaticFile } from './static-file.ts';

/** The path is the same from `src` and `dist`. */
const folder = new URL('../pages/', import.meta.url);

/** The scripts and style sheets of pages by path; those of the documentation are served elsewhere. */
const assets = ['', 'profile/', 'explain/'].flatMap((part) =>
  readdirSync(new URL(part, folder))
    .filter((name) => /\.(?:css|js)$/.test(name))
    .map((name) => [`/pages/${part}${name}`, `${part}${name}`] as const),
);

/** The served files by path: pages and their assets. */
const files = {
  '/verify-email': 'verify-email.html',
  '/confirm-email': 'confirm-email.html',
  '/undo-email': 'undo-email.html',
  '/reset-password': 'reset-password.html',
  '/accept-invitation': 'accept-invitation.html',
  '/explain': 'explain.html',
  '/sign-in': 'sign-in.html',
  '/profile': 'profile.html',
  '/favicon.svg': 'favicon.svg',
  // Browsers ask for it where a response names no icon.
  '/favicon.ico': 'favicon.svg',
  ...Object.fromEntries(assets),
} as const;

/** Overrides the API's policy, which allows nothing: a page needs its script, its style sheet and the API. */
const headers = {
  'Content-Security-Policy': contentSecurityPolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'img-src': "'self'",
  }),
} as const;

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * The built-in pages. Opening a link from a mail never redeems its token (security requirements): the token is in the
 * fragment, which is not sent to the server, and the page calls the API only when its button is pressed.
 */
export const builtInPages: readonly StaticFile[] = Object.entries(files).map(([path, name]) => {
  const mediaType = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return lazyFile({ path, mediaType, headers }, () => readFileSync(new URL(name, folder)));
});
