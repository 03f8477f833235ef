import { type ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa, { type Context } from 'koa';
import { reportOf, startReport } from '../observability/request-report.ts';
import type { ForwardedReply, ForwardedRequest } from './forwarding.ts';

/**
 * Answers a forwarded request: `answer` writes to a response that is not connected to anything, and what it has written
 * is the reply.
 */
export function threadAnswer(
  answer: (ctx: Context, request: ForwardedRequest) => Promise<void>,
): (request: ForwardedRequest) => Promise<ForwardedReply> {
  const app = new Koa();
  return async (request) => {
    const began = performance.now();
    const message = messageOf(request);
    const ctx = app.createContext(message, new ServerResponse(message));
    startReport(ctx, request.requestId).route = request.route.path;
    ctx['params'] = request.params;
    await answer(ctx, request);
    const reply = replyOf(ctx);
    // Otherwise the request would occupy memory until its response is sent, which does not happen here.
    ctx.res.emit('finish');
    return { ...reply, milliseconds: performance.now() - began };
  };
}

function messageOf({ method, url, headers, headersDistinct, remoteAddress, body }: ForwardedRequest): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const message = new IncomingMessage(socket);
  Object.assign(message, { method, url, headers, headersDistinct, complete: true });
  if (body !== undefined) message.push(body);
  message.push(null);
  return message;
}

/** Left to the thread that sends the response: fields about the connection, and those that it merges with its own. */
const notForwarded: ReadonlySet<string> = new Set(['content-length', 'set-cookie', 'vary']);

function replyOf(ctx: Context): Omit<ForwardedReply, 'milliseconds'> {
  const { res, response } = ctx;
  // Node's types declare the method of all outgoing messages only for requests.
  const written = (res as unknown as Pick<ClientRequest, 'getRawHeaderNames'>).getRawHeaderNames();
  const names = written.filter((name) => !notForwarded.has(name.toLowerCase()));
  return {
    status: response.status,
    headers: Object.fromEntries(names.map((name) => [name, String(res.getHeader(name))])),
    cookies: [res.getHeader('Set-Cookie') ?? []].flat().map(String),
    body: bytesOf(response.body),
    exceededLimits: reportOf(ctx).exceededLimits,
  };
}

/** The body in memory of its own, which can be transferred. */
const bytesOf = (body: unknown): Uint8Array<ArrayBuffer> | undefined => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return Buffer.isBuffer(body) ? new Uint8Array(body) : undefined;
};
