import { setTimeout as pause } from 'node:timers/promises';
import type { Enrolment } from '@zonewright/edge-protocol';
import { ResultAsync } from 'neverthrow';
import type { Logger } from 'pino';
import { type CallFailure, describeFailure } from './feed/failures.ts';
import { type ClientOptions, ServiceClient } from './feed/service-client.ts';
import { Pauses, type Timing, usualTiming } from './feed/timing.ts';
import type { Settings } from './settings/settings.ts';
import { StartFailure } from './start-failure.ts';
import type { StateFolder } from './state/state-folder.ts';

/** What enrolling needs. */
export interface EnrolmentOptions {
  readonly settings: Pick<Settings, 'serviceUrl' | 'token'>;
  readonly folder: StateFolder;
  readonly log: Logger;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

/**
 * The key of this edge: the one on disk, or one that the enrolment token is exchanged for, however long the service is
 * away. Rejects with a `StartFailure` if there is neither, or the service refuses the token.
 */
export async function obtainKey({ settings, folder, log, timing, signal }: EnrolmentOptions): Promise<string> {
  const key = await folder.readKey();
  if (key !== undefined) return key;
  const token = requireToken(settings.token);
  const pauses = new Pauses(timing);
  for (;;) {
    const outcome = await enrolOnce(
      { serviceUrl: settings.serviceUrl, answerTimeout: timing.answerTimeout },
      token,
      folder,
    );
    if (outcome.isOk()) {
      log.info({ edge: outcome.value.name }, 'enrolled');
      return outcome.value.key;
    }
    if (outcome.error.type !== 'ServiceUnreachable') throw tokenFailure(outcome.error);
    log.warn(`this edge is not enrolled: ${describeFailure(outcome.error)}`);
    await pause(pauses.next(), undefined, { signal });
  }
}

/** Exchanges the token once. Rejects with a `StartFailure`. */
export async function enrol(settings: Pick<Settings, 'serviceUrl' | 'token'>, folder: StateFolder): Promise<string> {
  if ((await folder.readKey()) !== undefined)
    throw new StartFailure('STATE_DIR: has the key of an enrolled edge; enrol another edge in another folder');
  const service = { serviceUrl: settings.serviceUrl, answerTimeout: usualTiming.answerTimeout };
  const outcome = await enrolOnce(service, requireToken(settings.token), folder);
  if (outcome.isErr()) throw tokenFailure(outcome.error);
  return outcome.value.name;
}

/** Needed until there is a key. Throws a `StartFailure` without one. */
export function requireToken(token: string | undefined): string {
  if (token !== undefined) return token;
  throw new StartFailure('EDGE_TOKEN: is required until this edge is enrolled ("zonewright edges add" prints one)');
}

function tokenFailure(failure: CallFailure): StartFailure {
  return failure.type === 'KeyRefused'
    ? new StartFailure('EDGE_TOKEN: the service refuses the value; a token is good for one enrolment within 24 hours')
    : new StartFailure(`SERVICE_URL: ${describeFailure(failure)}`);
}

/** Exchanges the token and keeps the key. */
const enrolOnce = (service: ClientOptions, token: string, folder: StateFolder): ResultAsync<Enrolment, CallFailure> =>
  new ServiceClient(service)
    .enrol(token)
    .andThrough(({ key }) => ResultAsync.fromSafePromise<void, CallFailure>(folder.writeKey(key)));
