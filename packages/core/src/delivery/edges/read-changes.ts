import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { EdgeIdentity } from './edge.ts';
import { claimSeconds, isInScope } from './edge.ts';
import type { StateReport } from './edge-state.ts';
import { type EdgeDocumentNotFound, type EdgeKeyInUse, edgeDocumentNotFound } from './errors.ts';
import type { EdgeFeed, EdgeStates, FeedPage, FeedZone, Publications } from './ports.ts';
import { type FeedPosition, parsePosition } from './position.ts';

interface Repositories {
  readonly edgeFeed: Pick<EdgeFeed, 'changes' | 'document'>;
  readonly edgeStates: Pick<EdgeStates, 'record'>;
}

/** Zones in one answer. */
export const zonesPerAnswer = 1000;

/**
 * An answer that removes more zones than this, and more than this part of an edge's zones, says that it is meant. What an
 * edge had of zones that have changed since is not known, so only unchanged ones count: new ones must not hide a loss.
 */
const remarkable = { removals: 10, part: 1 / 5 } as const;

/** What an edge asks of the feed. */
export interface ChangesQuestion {
  /** Undefined: for the whole present state. */
  readonly after: string | undefined;
  /** How long to wait for something to tell. */
  readonly waitSeconds: number;
}

/** What has changed since a position. */
export interface FeedAnswer {
  readonly position: FeedPosition;
  readonly more: boolean;
  /** Whether the position that was asked for is not one of this database, so that this is the whole state. */
  readonly reset: boolean;
  readonly shrink: boolean;
  readonly zones: readonly FeedZone[];
}

type Feed = { readonly unitOfWork: UnitOfWork<Repositories>; readonly publications: Publications };

/** How long even an edge that does not wait is kept until there is something to tell, while much is being published. */
const catchUpSeconds = 1;

/**
 * What an edge has to know. Whatever was committed before the call is in the answer, or in those that follow it while
 * there is more: however much is being published, there is an answer as soon as some of it concerns the edge.
 */
export const readChanges =
  ({ unitOfWork, publications }: Feed) =>
  (reader: EdgeIdentity, { after, waitSeconds }: ChangesQuestion): ResultAsync<FeedAnswer, never> => {
    const waiting = publications.wait(reader.id, after === undefined ? 0 : waitSeconds, 'publications');
    const catchingUp = publications.catchUp(Math.max(waitSeconds, catchUpSeconds));
    return safeTry(async function* () {
      const position = after === undefined ? undefined : parsePosition(after);
      const read = () => unitOfWork.view(({ edgeFeed }) => edgeFeed.changes(reader, position, zonesPerAnswer));
      let progress = yield* catchingUp.next();
      const answer = (page: FeedPage) =>
        answerOf(page, { isFirst: after === undefined, position, isCurrent: progress === 'current' });
      let given = answer(yield* read());
      while (isEmpty(given) && progress === 'behind') {
        progress = yield* catchingUp.next();
        given = answer(yield* read());
      }
      if (progress !== 'current') return ok(given);
      while (isEmpty(given) && (yield* waiting.next())) given = answer(yield* read());
      return ok(given);
    }).andTee(() => waiting.end());
  };

const isEmpty = ({ zones, reset }: FeedAnswer): boolean => zones.length === 0 && !reset;

/** What a page of the feed answers. */
interface AnsweredQuestion {
  /** Whether the edge asked without a position. */
  readonly isFirst: boolean;
  /** Where the edge stands, or where the whole state goes on. */
  readonly position: FeedPosition | undefined;
  /** Whether everything is published that was committed before the edge asked. */
  readonly isCurrent: boolean;
}

/** The answer that a page of the feed makes. */
export function answerOf(
  { isKnown, end, zones, unchanged }: FeedPage,
  { isFirst, position, isCurrent }: AnsweredQuestion,
): FeedAnswer {
  const isCut = zones.length > zonesPerAnswer;
  const more = isCut || !isCurrent;
  const page = zones.slice(0, zonesPerAnswer);
  const removals = page.filter(({ document }) => document === undefined).length;
  const reset = !isFirst && (position === undefined || !isKnown);
  const isWhole = isFirst || reset || position?.isWhole === true;
  return {
    position: { ...(isCut ? lastOf(page, end) : end), isWhole: isWhole && more },
    more,
    reset,
    shrink: removals > remarkable.removals && removals > (unchanged + removals) * remarkable.part,
    zones: page,
  };
}

const lastOf = (zones: readonly FeedZone[], end: FeedPosition): FeedPosition => ({
  ...end,
  number: zones.at(-1)?.position ?? end.number,
});

/** A document of a zone that the edge serves, by its digest, compressed with gzip. Documents never change. */
export const readEdgeDocument =
  ({ unitOfWork }: Pick<Feed, 'unitOfWork'>) =>
  (reader: EdgeIdentity, digest: string): ResultAsync<Uint8Array, EdgeDocumentNotFound> =>
    unitOfWork
      .view(({ edgeFeed }) => edgeFeed.document(digest))
      .andThen((document) => (isInScope(reader, document) ? ok(document.bytes) : err(edgeDocumentNotFound())));

/** Records what an edge reports about itself. */
export const reportEdgeState =
  ({ unitOfWork, publications }: Feed) =>
  (reader: EdgeIdentity, report: StateReport): ResultAsync<void, EdgeKeyInUse> =>
    unitOfWork
      .single(({ edgeStates }) => edgeStates.record(reader.id, report, claimSeconds))
      .andTee(() => publications.reported());
