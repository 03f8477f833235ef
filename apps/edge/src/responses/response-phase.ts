import { type HeaderOperation, type ResponseAnswer, utf8 } from '@zonewright/engine';
import { fieldIn, type HeaderLines, without } from './header-lines.ts';

/** What debug headers tell. */
export interface DebugFacts {
  readonly cacheKey: string | undefined;
  readonly revision: number;
  readonly rules: readonly string[];
}

const lower = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));
const linesOf = (operations: readonly HeaderOperation[]): HeaderLines =>
  operations.flatMap(({ name, value }) => [name, utf8(value)]);

/** The operations of a zone on responses. */
function prepared({ strip = [], cacheControl, remove = [], set = [], add = [] }: ResponseAnswer) {
  return {
    strip: lower(strip),
    cacheControl: cacheControl ?? undefined,
    remove: lower(remove),
    set: lower(set.map(({ name }) => name)),
    /** Lines that are set, then those that are added. */
    append: [...linesOf(set), ...linesOf(add)],
  };
}

/** Requests that match the same rules share one answer. */
const phases = new WeakMap<ResponseAnswer, ReturnType<typeof prepared>>();

function phaseOf(answer: ResponseAnswer) {
  const before = phases.get(answer);
  if (before !== undefined) return before;
  const made = prepared(answer);
  phases.set(answer, made);
  return made;
}

const freshness: ReadonlySet<string> = new Set(['cache-control', 'expires']);
const quotedStrings = /"(?:[^"\\]|\\.)*"?/g;
const isPrivate = /(?:^|[,\s])(?:private|no-store)(?=$|[,;=\s])/i;
/** Redirections and confirmations that any client may get, besides the successes. */
const shared: ReadonlySet<number> = new Set([301, 304, 308]);

/** Whether any client may get the answer, as far as it says itself. */
const isForEverybody = (status: number, lines: HeaderLines): boolean =>
  ((status >= 200 && status <= 299) || shared.has(status)) &&
  fieldIn(lines, 'set-cookie') === undefined &&
  !isPrivate.test((fieldIn(lines, 'cache-control') ?? '').replaceAll(quotedStrings, ''));

/** The head of an answer of an origin. */
export interface AnswerHead {
  readonly status: number;
  readonly lines: HeaderLines;
}

/**
 * The header of an answer after the response phase: cache-tag headers stripped, `Cache-Control` replaced if it is for everybody, then fields
 * removed, set and added, and debug headers. The operations may not name fields of framing.
 */
export function afterResponsePhase(
  { status, lines }: AnswerHead,
  answer: ResponseAnswer,
  debug: () => DebugFacts,
): string[] {
  const { strip, cacheControl, remove, set, append } = phaseOf(answer);
  let result = strip.size === 0 ? [...lines] : without(lines, strip);
  if (cacheControl !== undefined && isForEverybody(status, result)) {
    result = [...without(result, freshness), 'Cache-Control', cacheControl];
  }
  if (remove.size > 0) result = without(result, remove);
  if (set.size > 0) result = without(result, set);
  result.push(...append);
  return answer.debug === 'true' ? withDebug(result, debug()) : result;
}

const debugNames: ReadonlySet<string> = new Set(['x-cache', 'x-cache-key', 'x-zone-revision', 'x-rules']);

function withDebug(lines: HeaderLines, { cacheKey, revision, rules }: DebugFacts): string[] {
  return [
    ...without(lines, debugNames),
    // Without Varnish, nothing is stored.
    'X-Cache',
    'pass',
    ...(cacheKey === undefined ? [] : ['X-Cache-Key', cacheKey]),
    'X-Zone-Revision',
    String(revision),
    ...(rules.length === 0 ? [] : ['X-Rules', rules.join(', ')]),
  ];
}
