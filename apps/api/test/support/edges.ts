import { createHash } from 'node:crypto';
import {
  administration,
  type DomainStorage,
  type EdgeDraft,
  EdgeName,
  newEdgeKey,
  type TokenHash,
} from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import type { Database } from '@zonewright/postgres';
import { unique } from './arrange.ts';
import { type Client, clientOf } from './client.ts';

/** The hash under which the service looks for a token. */
const hashOf = (token: string): TokenHash =>
  // The service makes the same.
  createHash('sha256').update(token).digest('hex') as TokenHash;

const operator = { network: undefined, userAgent: 'test' };

/** Adds an edge, as an operator does; resolves to its name and enrolment token. */
export async function anAddedEdge(unitOfWork: DomainStorage, draft: Partial<EdgeDraft> = {}) {
  const { addEdge } = administration({ unitOfWork, randomness: nodeRandomness(), tokenHashes: { of: hashOf } });
  const name = EdgeName.parse(`edge-${unique()}`);
  const added = await addEdge(operator, { name, tags: [], organizations: [], stage: 'main', ...draft });
  return added.match(
    ({ token }) => ({ name, token }),
    (refusal) => {
      throw new Error(`The edge cannot be added: ${refusal.type}`);
    },
  );
}

/** Stores an edge of the main stage that has enrolled. */
export async function aStoredEdge(
  database: Database,
  organizations: readonly number[] = [],
): Promise<{ readonly key: string; readonly hash: string }> {
  const key = newEdgeKey(nodeRandomness());
  const hash = hashOf(key);
  await database.none(
    `INSERT INTO edges (id, name, tags, organizations, stage, token_expires_at, key_hash, enrolled_at)
    VALUES (gen_random_uuid(), $1, '{}', $2::int[], 'main', now(), $3, now())`,
    [`stored-${unique()}`, organizations, hash],
  );
  return { key, hash };
}

/** An edge that has enrolled. */
export interface EnrolledEdge extends Client {
  readonly name: string;
  readonly key: string;
  /** Everything that it has not been told yet, or the whole state without a position. */
  changes(after?: string, wait?: number): Promise<Changes>;
  report(given?: object): ReturnType<Client['put']>;
}

/** An answer of the feed. */
export interface Changes {
  readonly position: string;
  readonly more: boolean;
  readonly reset: boolean;
  readonly shrink?: boolean;
  readonly zones: readonly {
    readonly id: string;
    readonly revision?: number;
    readonly digest: string;
    readonly hostnames?: readonly string[];
    readonly removed?: boolean;
  }[];
  readonly purges: readonly unknown[];
}

/** Adds an edge and enrols it. */
export async function anEnrolledEdge(
  { url, unitOfWork }: { readonly url: string; readonly unitOfWork: DomainStorage },
  draft: Partial<EdgeDraft> = {},
): Promise<EnrolledEdge> {
  const { name, token } = await anAddedEdge(unitOfWork, draft);
  const { key } = (await clientOf(url).post('/edge/v1/enrolments', { token })).json() as { key: string };
  const client = clientOf(url, { authorization: `Bearer ${key}` });
  return {
    ...client,
    name,
    key,
    changes: async (after, wait) => {
      const query = new URLSearchParams({ ...(after && { after }), ...(wait && { wait: String(wait) }) });
      return (await client.get(`/edge/v1/changes?${query.toString()}`)).json() as Changes;
    },
    report: (given = {}) => client.put('/edge/v1/state', { ...aReport, ...given }),
  };
}

/** What an edge reports that serves nothing yet. */
export const aReport = {
  version: '1.0.0',
  semantics: 2,
  startedAt: '2026-01-01T00:00:00.000Z',
  zones: { applied: 0, rejected: [] },
  purged: 0,
  proxy: { kind: 'none', version: '' },
  unsupportedSettings: [],
};
