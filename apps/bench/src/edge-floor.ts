/** The floor of an edge: a proxy with nothing but `node:http`. */
import { Agent, request as begin, createServer } from 'node:http';

const port = Number(process.env['ORIGIN_PORT']);
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { method, url: path, headers } = request;
  const sent = begin({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  request.pipe(sent);
}).listen(Number(process.env['PORT']), '127.0.0.1');
