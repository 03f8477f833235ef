import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import helmet from 'koa-helmet';

/** What every answer says about its own safety: made once, as it never differs. */
export const securityHeaders: Readonly<Record<string, string>> = await recordedHeaders();

/** The header fields that helmet sets, by name. */
async function recordedHeaders(): Promise<Readonly<Record<string, string>>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  await setHeaders(new Koa().createContext(request, response), async () => {});
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** The policy of a page: it may do what is listed, by directive, and nothing else. */
export const contentSecurityPolicy = (allowed: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...allowed,
    'form-action': allowed['form-action'] ?? "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
