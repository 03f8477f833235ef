import type { ApiError } from '@zonewright/api-description';
import type { Config } from '@zonewright/configuration';
import type { PlausibleCredential } from '@zonewright/core';
import { type Gate, type GateLimits, gate } from '@zonewright/gate';
import { err, type Result, ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';

/** One user's requests occupy at most this part of the database pool of a process at a time. */
const userPart = 1 / 5;

/** Requests of a network without a caller, such as sign-ins, may occupy more: it may have many users. */
const networkPart = 1 / 2;

/** Requests of one user that may wait for something to happen: each takes a connection only now and then. */
const waitingAtOnce = 20;

/** Requests of one user that may wait for their turn, and for how many seconds. */
const queueLimits = { queueLimit: 256, waitSeconds: 5 } as const;

/** Too many requests of the same user or network are in progress. */
const tooManyAtOnce: ApiError = { type: 'TooManyAtOnce', retryAfterSeconds: 1 };

/** Requests in execution, with an equal share for each of their owners. */
export interface Shares {
  /** For requests of a user, or of an API token whose user is not known yet. */
  readonly users: Share;
  /** For requests of a user that wait for something to happen. */
  readonly waiting: Share;
  /** For requests without a caller, by network. */
  readonly networks: Share;
}

/** The shares of a process with the given number of database connections. */
export const sharesOf = ({ databasePool }: Pick<Config, 'databasePool'>): Shares => ({
  users: new Share({ ...queueLimits, concurrency: Math.max(1, Math.floor(databasePool * userPart)) }),
  waiting: new Share({ ...queueLimits, concurrency: waitingAtOnce }),
  networks: new Share({ ...queueLimits, concurrency: Math.max(1, Math.floor(databasePool * networkPart)) }),
});

/** Bounds how many requests of one owner are in execution; further ones wait in order. Others never wait for them. */
export class Share {
  readonly #limits: GateLimits;
  readonly #lines = new Map<string, Gate>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Runs work when it is its owner's turn. Work of an owner must not wait for other work of theirs. */
  run<T>(owner: string, work: () => ResultAsync<T, ApiError>): ResultAsync<T, ApiError> {
    return new ResultAsync(this.#inTurn(owner, work));
  }

  async #inTurn<T>(owner: string, work: () => ResultAsync<T, ApiError>): Promise<Result<T, ApiError>> {
    const line = this.#lines.get(owner) ?? gate(this.#limits);
    this.#lines.set(owner, line);
    try {
      const ran = await line.run(async () => work());
      return ran.isOk() ? ran.value : err(tooManyAtOnce);
    } finally {
      const { running, waiting } = line.stats();
      if (running + waiting === 0) this.#lines.delete(owner);
    }
  }
}

/** Where requests wait for their turn. */
export interface Turns {
  readonly shares: Shares;
}

/** Looks up a credential when it is the turn of its user, who is known for sessions only. */
export const lookUpInTurn = <T>(
  credential: PlausibleCredential,
  { shares }: Turns,
  lookUp: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> =>
  shares.users.run(credential.kind === 'session' ? credential.userId : credential.hash, lookUp);

/**
 * Executes a request when it is the turn of its user, or of its network for requests without a caller. Edges have turns
 * of their own for each read, because they wait in between (`Publisher`).
 */
export const executeInTurn = <T>(
  { caller, client, edge }: Exchange,
  { mayWait }: Pick<Route, 'mayWait'>,
  { shares }: Turns,
  execute: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> => {
  if (edge !== undefined) return execute();
  if (caller === undefined) return shares.networks.run(client.network, execute);
  return (mayWait ? shares.waiting : shares.users).run(caller.userId, execute);
};
