import { type PatternNode, parsePattern } from '@zonewright/engine';
import { bytesOf, holdsByte } from '@zonewright/engine/internals';

const isAt = (node: PatternNode | undefined, at: 'start' | 'end'): boolean =>
  node?.kind === 'assertion' && node.at === at;

/** The bytes of which canonical paths consist. */
export const visibleBytes: readonly number[] = Array.from({ length: 0x7e - 0x20 }, (_, at) => at + 0x21);
const slash = 0x2f;
/** Bytes that belong neither to a dot segment nor to a percent-triplet, whatever follows. */
const isPlain = (byte: number): boolean => /[A-Za-z0-9_~-]/.test(String.fromCharCode(byte));

/**
 * What the group of a pattern such as `^/old/(.*)$`, `^/user/([^/]+)` or `^/([a-z]+)` contains; undefined for other
 * patterns, and for those whose group may end in the middle of a percent-triplet or a dot segment. It is the longest
 * beginning of the path after the fixed text `source`, of bytes that it `keeps`; undefined: of all, the whole rest.
 */
export function capturedSuffix(pattern: string) {
  const parsed = parsePattern(pattern);
  const tree = parsed.ok ? parsed.value.tree : undefined;
  const [start, ...parts] = tree?.kind === 'sequence' ? tree.parts : [];
  const before = parts.findIndex(({ kind }) => kind !== 'bytes');
  const [group, ...after] = parts.slice(Math.max(0, before));
  const source = textOf(parts.slice(0, Math.max(0, before)));
  const isSimple = isAt(start, 'start') && after.every((node) => isAt(node, 'end'));
  const run = group?.kind === 'group' ? bytesOfRun(group.body) : undefined;
  if (!isSimple || source === undefined || run === undefined) return undefined;
  const [inside, outside] = [visibleBytes.filter(run), visibleBytes.filter((byte) => !run(byte))];
  if (outside.length === 0) return { source, keeps: undefined };
  const isSegment = outside.every((byte) => byte === slash) && source.endsWith('/');
  return isSegment || inside.every(isPlain) ? { source, keeps: run } : undefined;
}

/** The text of a pattern such as `^/old/page$` or `^/old/`, and whether it is the whole path; undefined for others. */
export function patternText(pattern: string) {
  const parsed = parsePattern(pattern);
  const tree = parsed.ok ? parsed.value.tree : undefined;
  const [start, ...parts] = tree?.kind === 'sequence' ? tree.parts : [];
  const isWhole = isAt(parts.at(-1), 'end');
  const text = isAt(start, 'start') ? textOf(isWhole ? parts.slice(0, -1) : parts) : undefined;
  return text === undefined ? undefined : { text, isWhole };
}

/** The text of nodes that each match one byte; undefined if one matches several. */
function textOf(nodes: readonly PatternNode[]): string | undefined {
  const bytes = nodes.flatMap((node) => (node.kind === 'bytes' ? visibleBytes.filter(holding(node)) : []));
  return nodes.length > 0 && bytes.length === nodes.length && nodes.every(isOneByte)
    ? String.fromCharCode(...bytes)
    : undefined;
}

const isOneByte = (node: PatternNode): boolean =>
  node.kind === 'bytes' && visibleBytes.filter(holding(node)).length === 1;

const holding =
  (node: Extract<PatternNode, { readonly kind: 'bytes' }>) =>
  (byte: number): boolean =>
    holdsByte(bytesOf(node, false), byte);

/** The bytes of a repetition that takes as many as it can. */
function bytesOfRun(node: PatternNode): ((byte: number) => boolean) | undefined {
  if (node.kind !== 'repetition' || !node.greedy || node.max !== Number.POSITIVE_INFINITY) return undefined;
  return node.body.kind === 'bytes' ? holding(node.body) : undefined;
}
