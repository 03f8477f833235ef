import type { PreparedDocument } from './documents.ts';
import type { Route } from './route.ts';

const access = {
  public: 'no credential',
  protected: 'credential needed',
  session: 'signed-in user',
} as const satisfies Record<Route['access'], string>;

/** `/api/docs`: every route the service has, as a page for people. */
export const docsPage = (routes: readonly Route[]): PreparedDocument => ({
  path: '/api/docs',
  mediaType: 'text/html; charset=utf-8',
  body: pageOf(routes),
});

const pageOf = (routes: readonly Route[]): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Zonewright API</title></head>
<body>
<h1>Zonewright API</h1>
<p>Send <code>Authorization: Bearer &lt;token&gt;</code> where a credential is needed. Errors are problem documents (RFC 9457).</p>
<table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Access</th><th scope="col">Formats</th></tr></thead>
<tbody>
${routes.map(row).join('\n')}
</tbody>
</table>
</body>
</html>
`;

/** Paths and formats come from our own table, so nothing in them needs escaping. */
const row = ({ method, path, access: who, formats }: Route): string => {
  const cells = [method.toUpperCase(), path.replace(/:(\w+)/g, '{$1}'), access[who], formats.join(', ')];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
};
