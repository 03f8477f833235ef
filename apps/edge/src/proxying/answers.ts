import type { IncomingMessage } from 'node:http';
import type { ServedZone } from '../documents/accepted-zone.ts';
import { hasBody } from '../framing/ambiguous-framing.ts';
import { refuseMore } from '../framing/http-server.ts';
import { customPage, type PageKind, plainPage, reasonOf } from '../responses/pages.ts';
import type { Share } from '../shares/bounds.ts';
import type { Visit } from './visit.ts';

/** An answer of the edge itself. */
export interface OwnAnswer {
  readonly status: number;
  /** Lines besides those of the page. */
  readonly lines?: readonly string[];
  readonly page?: PageKind;
  readonly zone?: ServedZone;
  /** Nothing more is read from the connection. */
  readonly close?: boolean;
}

const pageLines = ['Content-Type', 'text/html; charset=utf-8', 'X-Content-Type-Options', 'nosniff'];

/** Answers with the zone's page for the occasion, or a plain one. */
export function answer(
  { request, response }: Visit,
  { status, lines = [], page = 'plain', zone, close }: OwnAnswer,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const html = (zone && customPage(zone, page)) ?? plainPage(status);
  const body = Buffer.from(html, 'utf8');
  const early = isEarly(request);
  const header = [...pageLines, 'Content-Length', String(body.length), ...lines];
  if (early || close === true) header.push(...lastAnswer(request));
  response.writeHead(status, header);
  response.write(body);
  finish(request, () => response.end());
}

/** Refuses a request because its zone or client has used up a share. */
export function refuseForShare(visit: Visit, status: 503 | 504, share: Share): void {
  visit.entry.share = share;
  answer(visit, { status, lines: ['Cache-Control', 'no-store', 'Retry-After', '1'] });
}

/** The line of the last answer on a connection. What the client sends behind its request is no further request. */
export function lastAnswer({ socket }: IncomingMessage): readonly string[] {
  refuseMore(socket);
  return ['Connection', 'close'];
}

/** Whether the answer begins before the request has come to its end. Then the connection does not outlive it. */
export const isEarly = (request: IncomingMessage): boolean => hasBody(request) && !request.complete;

const drainMilliseconds = 1000;

/**
 * Ends an answer. What still comes of the request is read for a moment, since closing a connection with unread bytes
 * would take the answer from the client.
 */
export function finish(request: IncomingMessage, end: () => void): void {
  if (!isEarly(request)) return end();
  const ended = () => {
    clearTimeout(timer);
    request.off('end', ended);
    request.off('close', ended);
    end();
  };
  const timer = setTimeout(ended, drainMilliseconds);
  request.once('end', ended);
  request.once('close', ended);
  request.resume();
}

/** A whole answer as bytes, for requests that cannot be parsed. */
export function rawAnswer(status: number): string {
  const page = plainPage(status);
  const lines = [
    `HTTP/1.1 ${status} ${reasonOf(status)}`,
    'Content-Type: text/html; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(page)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${page}`;
}
