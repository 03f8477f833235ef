import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { installOwnWorkspace } from '../../support/own-workspace.ts';

/** A server for a page on another origin. */
export interface AdminServer {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Admin</title><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script src="/page.js"></script></body>
</html>`;

/** Installs what the page imports, bundles it and serves it on a separate port. */
export async function serveAdmin(): Promise<AdminServer> {
  const script = await bundle();
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8');
    response.end(isScript ? script : html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function bundle(): Promise<string> {
  await installOwnWorkspace(new URL('./', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('The bundle of the admin page is empty.');
  return script.text;
}
