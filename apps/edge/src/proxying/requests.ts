import type { ServerResponse } from 'node:http';
import { hostOfAuthority, type RequestFacts } from '@zonewright/engine';
import { type Decision, decide, decidingRule, needsCredentials, withCredentials } from '../deciding/decisions.ts';
import { authorityOf, factsOf } from '../deciding/request-facts.ts';
import type { ServedZone } from '../documents/accepted-zone.ts';
import { isAmbiguous } from '../framing/ambiguous-framing.ts';
import type { LoggedClient } from '../log/request-log.ts';
import { quotedString } from '../responses/header-lines.ts';
import type { ZoneShare } from '../shares/zone-shares.ts';
import { answer, refuseForShare } from './answers.ts';
import { serve } from './attempts.ts';
import type { ServedRequest } from './relay.ts';
import { beginVisit, guarded, guardedLater, type ProxyContext, type Visit } from './visit.ts';

/** What a connection gives of a request. */
export type Received = Pick<Visit, 'request' | 'upgrade'> & { readonly response: ServerResponse };

/** One request from its head to the end of its answer. */
export function receive(context: ProxyContext, received: Received): void {
  const { request } = received;
  const client = context.clients.of(request.socket, request.headers);
  if (client === undefined) {
    request.socket.destroy();
    return;
  }
  // Clients may disconnect at any time; the reader of the body gets the error.
  request.on('error', () => undefined);
  received.response.on('error', () => undefined);
  const visit = beginVisit({ ...received, client }, context.record);
  if (context.logsClients) visit.entry.client = loggedClient(visit, context);
  guarded(visit, () => route(context, visit));
}

const loggedCharacters = 300;

function loggedClient({ request, client: { address } }: Visit, { databases }: ProxyContext): LoggedClient {
  const country = databases.country(address);
  const userAgent = request.headers['user-agent']?.slice(0, loggedCharacters);
  return { address, ...(country !== null && { country }), ...(userAgent !== undefined && { userAgent }) };
}

/** Finds the zone of a request. */
function route(context: ProxyContext, visit: Visit): void {
  const { request, client } = visit;
  if (isAmbiguous(request)) return answer(visit, { status: 400, close: true });
  const zone = context.zones.find(authorityOf(request));
  if (zone === 'invalid') return answer(visit, { status: 400, close: true });
  if (zone === 'unknown') {
    logHost(visit);
    return answer(visit, { status: 421 });
  }
  visit.entry.zone = zone.document.zone.id;
  const facts = factsOf(request, client, context.databases);
  if (!facts.ok) return answer(visit, { status: 400, close: true });
  decideOn(context, visit, zone, facts.value);
}

function decideOn(context: ProxyContext, visit: Visit, zone: ServedZone, facts: RequestFacts): void {
  const share = context.shares.of(zone.document.zone.id);
  if (share.evaluation.isUsedUp) {
    visit.entry.disposition = 'busy';
    logHost(visit);
    return refuseForShare(visit, 503, 'evaluation');
  }
  const decision = decide(zone, facts, share.evaluation);
  const { evaluation } = decision;
  const parts = { zone, share };
  if (evaluation === undefined || !needsCredentials(evaluation)) return respond(context, visit, parts, decision);
  const checked = withCredentials({ ...decision, evaluation }, zone, facts, {
    check: context.credentials,
    network: visit.client.network,
  });
  void guardedLater(visit, checked, (known) => respond(context, visit, parts, known));
}

const unstored = ['Cache-Control', 'no-store'];
const retrySeconds = { maintenance: '300', overload: '1', guessing: '5' } as const;

/** A zone, and what it has of this process. */
interface ZoneParts {
  readonly zone: ServedZone;
  readonly share: ZoneShare;
}

/** Does what is decided. */
function respond(context: ProxyContext, visit: Visit, parts: ZoneParts, { disposition, evaluation }: Decision): void {
  const { entry } = visit;
  const { zone } = parts;
  entry.disposition = disposition;
  // The client went away while its password was checked.
  if (visit.response.destroyed) return;
  if (evaluation?.request === undefined) logHost(visit);
  if (evaluation === undefined) return overloaded(visit);
  fillLogEntry(visit, evaluation);
  switch (disposition) {
    case 'rejected':
      return answer(visit, { status: evaluation.status ?? 400, close: true });
    case 'block':
      return answer(visit, { status: 403, page: 'security', zone, lines: unstored });
    case 'challenge':
      return answer(visit, { status: 403, page: 'challenge', zone, lines: unstored });
    case 'redirect':
      return answer(visit, { status: evaluation.status ?? 302, lines: ['Location', evaluation.location ?? '/'] });
    case 'unauthorized':
      return answer(visit, { status: 401, lines: [...unstored, 'WWW-Authenticate', challengeOf(zone)] });
    case 'maintenance': {
      const lines = [...unstored, 'Retry-After', retrySeconds.maintenance];
      return answer(visit, { status: 503, page: 'maintenance', zone, lines });
    }
    case 'noBackend':
      return answer(visit, { status: 502, page: 'error', zone, lines: unstored });
    case 'busy':
    case 'tooComplex':
      return overloaded(visit);
    case 'guessing':
      return answer(visit, { status: 429, lines: [...unstored, 'Retry-After', retrySeconds.guessing] });
    case 'serve':
      return serveUnlessLoop(context, { ...parts, visit, evaluation });
  }
}

function serveUnlessLoop(context: ProxyContext, served: ServedRequest): void {
  const { visit, zone } = served;
  if (context.loops.has(visit.request)) {
    visit.entry.disposition = 'loop';
    return answer(visit, { status: 508, page: 'error', zone, lines: unstored });
  }
  visit.entry.cache = 'pass';
  serve(context, served);
}

const overloaded = (visit: Visit): void =>
  answer(visit, { status: 503, lines: [...unstored, 'Retry-After', retrySeconds.overload] });

const challengeOf = ({ document }: ServedZone): string => `Basic realm=${quotedString(document.zone.name)}`;

/** For requests of no zone, or without a canonical form. */
function logHost({ entry, request }: Visit): void {
  const host = hostOfAuthority(authorityOf(request));
  if (host !== undefined) entry.host = host;
}

function fillLogEntry({ entry }: Visit, evaluation: NonNullable<Decision['evaluation']>): void {
  const { request } = evaluation;
  const rule = decidingRule(evaluation);
  if (rule !== undefined) entry.rule = rule;
  if (request === undefined) return;
  entry.host = request.host;
  entry.path = request.path;
}
