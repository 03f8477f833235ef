/** An origin: every request gets the same 2 KB. */
import { createServer } from 'node:http';

const body = Buffer.alloc(2048, 'x');
const headers = {
  'Content-Type': 'text/plain',
  'Content-Length': body.length,
  ETag: '"a"',
  'Cache-Control': 'max-age=60',
};

createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.writeHead(200, headers).end(body)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
