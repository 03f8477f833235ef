import {
  type EdgeIdentity,
  type EdgesByKey,
  type FeedPosition,
  type Repositories,
  StorageUnavailable,
  type TokenHash,
  type UnitOfWork,
} from '@zonewright/core';
import { gate } from '@zonewright/gate';
import { type Result, ResultAsync } from 'neverthrow';
import { BatchedLookUp } from './batched-look-up.ts';
import { SingleFlight } from './single-flight.ts';

/** What edges read and write. */
interface EdgeRepositories {
  readonly edges: Pick<Repositories['edges'], 'byKeys'>;
  readonly edgeFeed: Pick<Repositories['edgeFeed'], 'changes' | 'document'>;
  readonly edgeStates: Pick<Repositories['edgeStates'], 'record'>;
}

/** Edges may occupy this part of the database connections of a process at a time. */
const edgePart = 1 / 4;

/**
 * Storage as edges use it, so that they keep nobody else from it, however many there are: they occupy a part of the
 * connections, and those that ask for the same thing at the same time share one read, which begins after they asked.
 */
export function edgeStorage(
  storage: UnitOfWork<EdgeRepositories>,
  { databasePool }: { readonly databasePool: number },
): UnitOfWork<EdgeRepositories> {
  const concurrency = Math.max(1, Math.floor(databasePool * edgePart));
  const turns = gate({ concurrency, queueLimit: 10_000, waitSeconds: 20 });
  const inTurn = <T, E>(work: () => ResultAsync<T, E>): ResultAsync<T, E> => new ResultAsync(turnOf(turns, work));
  const unitOfWork: UnitOfWork<EdgeRepositories> = {
    run: (work) => inTurn(() => storage.run(work)),
    single: (work) => inTurn(() => storage.single(work)),
    view: (read) => inTurn(() => storage.view(read)),
  };
  const shared = sharingReads(unitOfWork);
  return { ...unitOfWork, view: (read) => read(shared) };
}

async function turnOf<T, E>(turns: ReturnType<typeof gate>, work: () => ResultAsync<T, E>): Promise<Result<T, E>> {
  const ran = await turns.run(async () => work());
  if (ran.isErr()) throw new StorageUnavailable('Too many edges read at once.');
  return ran.value;
}

/** Repositories whose reads are shared by those who ask at the same time. */
function sharingReads(storage: UnitOfWork<EdgeRepositories>): EdgeRepositories {
  const byKeys = new BatchedLookUp(async (keys: readonly TokenHash[]) => {
    const found = await storage.view(({ edges }) => edges.byKeys(keys));
    return found.unwrapOr(new Map());
  });
  const readOnce = sharedByQuestion();
  return {
    edges: { byKeys: (keys) => ResultAsync.fromSafePromise(edgesByKey(byKeys, keys)) },
    edgeFeed: {
      // Edges with the same zones and position get the same answer.
      changes: (reader, after, limit) =>
        readOnce(questionOf(reader, after, limit), () =>
          storage.view(({ edgeFeed }) => edgeFeed.changes(reader, after, limit)),
        ),
      document: (digest) => readOnce(digest, () => storage.view(({ edgeFeed }) => edgeFeed.document(digest))),
    },
    edgeStates: {
      record: (edge, report, claimSeconds) =>
        storage.single(({ edgeStates }) => edgeStates.record(edge, report, claimSeconds)),
    },
  };
}

const questionOf = (
  { stage, tags, organizations }: EdgeIdentity,
  after: FeedPosition | undefined,
  limit: number,
): string => JSON.stringify([stage, tags, organizations, after, limit]);

async function edgesByKey(
  lookUp: BatchedLookUp<TokenHash, EdgeIdentity>,
  keys: readonly TokenHash[],
): Promise<EdgesByKey> {
  const found = await Promise.all(keys.map(async (key) => [key, await lookUp.of(key)] as const));
  return new Map(found.flatMap(([key, edge]) => (edge === undefined ? [] : [[key, edge] as const])));
}

/** Reads once for all who ask the same question at a time. */
function sharedByQuestion() {
  const runs = new Map<string, SingleFlight<unknown>>();
  return <T, E>(question: string, read: () => ResultAsync<T, E>): ResultAsync<T, E> => {
    const run = runs.get(question) ?? new SingleFlight<unknown>(async () => read());
    runs.set(question, run);
    const result = run.next().finally(() => {
      if (run.isIdle && runs.get(question) === run) runs.delete(question);
    });
    // Answers to the same question are of one type.
    return new ResultAsync(result as Promise<Result<T, E>>);
  };
}
