import { readFileSync } from 'node:fs';
import type { Middleware } from 'koa';
import { respondProblem } from '../http/respond.ts';

/** What is served, by path: the pages that mails lead to, and what they load. */
const files = {
  '/verify-email': 'verify-email.html',
  '/reset-password': 'reset-password.html',
  '/accept-invitation': 'accept-invitation.html',
  '/pages/palette.css': 'palette.css',
  '/pages/page.css': 'page.css',
  '/pages/api.js': 'api.js',
  '/pages/form.js': 'form.js',
  '/pages/page.js': 'page.js',
  '/pages/verify-email.js': 'verify-email.js',
  '/pages/reset-password.js': 'reset-password.js',
  '/pages/accept-invitation.js': 'accept-invitation.js',
} as const;

/** The same distance from `src/site` and from `dist/site`. */
const folder = new URL('../../pages/', import.meta.url);

/** The API's own policy allows nothing at all; a page needs its script, its style sheet and the API. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the built-in pages for people who follow the link of a mail. A visit never redeems the token (security
 * requirements): it is in the fragment, which no server sees, and the page calls the API when its button is pressed.
 */
export function pages(): Middleware {
  const contents = new Map(Object.entries(files).map(([path, name]) => [path, contentOf(name)]));
  return (ctx, next) => {
    const content = contents.get(ctx.path);
    if (content === undefined) return next();
    ctx.state['route'] = ctx.path;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      return respondProblem(ctx, { type: 'MethodNotAllowed', allow: 'GET, HEAD' });
    }
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = content.type;
    ctx.body = content.bytes;
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

const contentOf = (name: string) => ({
  type: mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  bytes: readFileSync(new URL(name, folder)),
});
