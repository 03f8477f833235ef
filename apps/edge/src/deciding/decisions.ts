import {
  type Disposition,
  defaultSettings,
  type Evaluation,
  maxServingWork,
  type RequestFacts,
  type SettingKey,
  type Settings,
  type Step,
  workPerMillisecond,
} from '@zonewright/engine';
import type { ServedZone } from '../documents/accepted-zone.ts';
import type { WorkShare } from '../shares/work-share.ts';
import type { CredentialCheck, CredentialVerdict } from './credentials.ts';

/** What an edge does with a request. */
export interface Decision {
  readonly disposition: Disposition | 'tooComplex' | 'busy' | 'guessing';
  /** Undefined if evaluating would take too long. */
  readonly evaluation: Evaluation | undefined;
}

/** Evaluates a request within bounded work, which counts for the share of the zone. */
export function decide({ engine }: ServedZone, facts: RequestFacts, share: WorkShare): Decision {
  const { evaluation, work } = engine.evaluateWithin(maxServingWork, facts);
  share.charge(work / workPerMillisecond);
  if (evaluation === undefined) return { disposition: 'tooComplex', evaluation };
  const { disposition } = evaluation;
  // Facts are complete. Were one unknown, the request would not pass what it possibly does not pass.
  return { disposition: disposition === 'unknown' ? 'block' : disposition, evaluation };
}

/** Whether basic auth let the request pass only because it has credentials, which nobody has checked. */
export const needsCredentials = ({ phases }: Evaluation): boolean =>
  phases?.some((each) => each.phase === 'basicAuth' && each.required === 'true' && each.credentials === 'given') ??
  false;

const verdicts = {
  right: undefined,
  wrong: 'unauthorized',
  busy: 'busy',
  guessing: 'guessing',
} as const satisfies Record<CredentialVerdict, Decision['disposition'] | undefined>;

/** The decision after the credentials are checked. Basic auth comes before maintenance and all that follows. */
export async function withCredentials(
  decision: Decision & { readonly evaluation: Evaluation },
  zone: ServedZone,
  facts: RequestFacts,
  { check, network }: { readonly check: CredentialCheck; readonly network: string },
): Promise<Decision> {
  const { allowedUserIds } = effective(decision.evaluation, 'basicAuth');
  const lines = facts.headers.filter(({ name }) => name.toLowerCase() === 'authorization');
  const [{ value: authorization } = { value: '' }] = lines;
  const asked = { zone, allowed: allowedUserIds, authorization, network };
  const verdict = lines.length === 1 ? await check.verdict(asked) : 'wrong';
  const disposition = verdicts[verdict];
  return disposition === undefined ? decision : { ...decision, disposition };
}

/** The effective value of a setting; that of a page is its size. */
export function effective<K extends SettingKey>({ settings }: Evaluation, key: K): Settings[K] {
  const answer = settings?.[key];
  // An evaluation shows each value under its key. With complete facts there is exactly one.
  return answer !== undefined && 'value' in answer ? (answer.value as Settings[K]) : defaultSettings[key];
}

/** The ids of the rules that matched, in order. */
export const matchedRules = ({ phases = [] }: Evaluation): readonly string[] =>
  phases
    .flatMap((each): readonly Step[] => ('steps' in each ? each.steps : []))
    .filter(({ outcome }) => outcome === 'matched')
    .map(({ rule }) => rule);

/** The rule that ended the request, if one did. */
export function decidingRule({ phases }: Evaluation): string | undefined {
  const last = phases?.at(-1);
  if (last === undefined || last.ends !== 'true' || !('steps' in last)) return undefined;
  return last.steps.findLast(({ outcome }) => outcome === 'matched')?.rule;
}
