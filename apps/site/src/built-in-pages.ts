import { readFileSync } from 'node:fs';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { lazyFile, type StaticFile } from './static-file.ts';

const sharedModules = [
  'api',
  'element',
  'form',
  'page',
  'passkey',
  'return-to',
  'session',
  'sign-in',
  'sign-in-problems',
] as const;

const explainModules = [
  'answer',
  'ask-analysis',
  'behaviour',
  'change-sets',
  'comparison',
  'configuration',
  'delivery',
  'devices',
  'edges',
  'explain',
  'findings',
  'question',
  'settings',
  'steps',
  'words',
  'zone-questions',
  'zones',
] as const;

const profileModules = [
  'account-actions',
  'account-log',
  'address',
  'api-tokens',
  'confirmation',
  'passkeys',
  'password',
  'profile',
  'programs',
  'providers',
  'sessions',
  'things',
  'two-factor',
  'zone-choice',
] as const;

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
  '/pages/palette.css': 'palette.css',
  '/pages/page.css': 'page.css',
  '/pages/verify-email.js': 'verify-email.js',
  '/pages/mailed-token.js': 'mailed-token.js',
  '/pages/confirm-email.js': 'confirm-email.js',
  '/pages/undo-email.js': 'undo-email.js',
  '/pages/reset-password.js': 'reset-password.js',
  '/pages/accept-invitation.js': 'accept-invitation.js',
  ...Object.fromEntries(sharedModules.map((name) => [`/pages/${name}.js`, `${name}.js`])),
  '/pages/profile/profile.css': 'profile/profile.css',
  '/pages/explain/explain.css': 'explain/explain.css',
  '/pages/explain/analysis.css': 'explain/analysis.css',
  ...Object.fromEntries(profileModules.map((name) => [`/pages/profile/${name}.js`, `profile/${name}.js`])),
  ...Object.fromEntries(explainModules.map((name) => [`/pages/explain/${name}.js`, `explain/${name}.js`])),
} as const;

/** The path is the same from `src` and `dist`. */
const folder = new URL('../pages/', import.meta.url);

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
