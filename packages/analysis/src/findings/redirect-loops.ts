import type { Finding, Witness } from '@zonewright/core';
import type { RewriteRule } from '@zonewright/engine';
import { canonicalHost, leadsToOwnHost } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import { type AnalysedRule, reachedIn } from './analysed-rules.ts';
import { finding, namesOf } from './finding.ts';
import { beginningsOfChains } from './redirect-chains.ts';
import { outcomeIn, type ZoneAnalysis } from './zone-analysis.ts';

type Rule = AnalysedRule<RewriteRule>;

/** This many redirects in a row count as a loop. */
const steps = 20;
const origin = /^(https?):\/\/([^/?#]*)/i;
/** Maximum number of target hosts to try per rule. */
const maxHosts = 8;

/** Requests that this zone redirects forever; one finding per set of rules. */
export function redirectLoops(zone: ZoneAnalysis, live: readonly Rule[]): readonly Finding[] {
  const loops = new Map<string, Finding>();
  const redirects = live.filter(({ content }) => content.type === 'redirect');
  const hosts = [...new Set(live.flatMap(({ content }) => hostOf(content.target)))].slice(0, maxHosts);
  for (const rule of beginningsOfChains(redirects, zone.configuration.settings.pathNormalization)) {
    for (const host of [undefined, ...hosts]) {
      if (zone.isOver) return [...loops.values()];
      const loop = loopFrom(zone, live, rule, host);
      const name = loop?.rules
        .map(({ id }) => id)
        .toSorted()
        .join(' ');
      if (loop !== undefined && name !== undefined && !loops.has(name)) loops.set(name, loop);
    }
  }
  return [...loops.values()];
}

const hostOf = (target: string): readonly string[] => {
  const host = canonicalHost(origin.exec(target)?.[2]?.replace(/:[0-9]*$/, '') ?? '');
  return host === undefined ? [] : [host];
};

function loopFrom(
  zone: ZoneAnalysis,
  live: readonly Rule[],
  rule: Rule,
  host: string | undefined,
): Finding | undefined {
  const onHost = (text: string) => zone.predicates.ofPart({ part: 'host', text, isWhole: true });
  const clauses: Clauses = [...reachedIn(live, rule), ...(host === undefined ? [] : [[onHost(host)]])];
  let answering: readonly Step[] | undefined;
  const witness = zone.witness(clauses, rule.list, (_, request) => {
    answering = looping(zone, live, request);
    return answering !== undefined;
  });
  if (witness === undefined || answering === undefined) return undefined;
  const rules = [...new Set(answering.map((step) => step.rule))];
  const namesHost = answering.some((step) => step.namesHost);
  return finding({
    code: 'redirect.loop',
    severity: namesHost ? 'warning' : 'error',
    message: namesHost
      ? `Requests are redirected in a loop by ${namesOf(rules)}, if this zone also serves the host in the target.`
      : `Requests are redirected in a loop by ${namesOf(rules)}.`,
    rules,
    members: rules.map(({ list, id }) => `${list}.items.${id}.target`),
    witness,
  });
}

interface Step {
  readonly rule: Rule;
  readonly namesHost: boolean;
}

/** The redirects that a request follows; undefined if they end or leave the host. */
function looping(zone: ZoneAnalysis, live: readonly Rule[], first: Witness): readonly Step[] | undefined {
  const answered: Step[] = [];
  let request = first;
  for (let step = 0; step < steps; step += 1) {
    const evaluation = zone.evaluate(request);
    const rule = evaluation && live.find((each) => outcomeIn(evaluation, each) === 'matched');
    if (
      zone.isOver ||
      evaluation?.disposition !== 'redirect' ||
      evaluation.location === undefined ||
      rule === undefined
    )
      return undefined;
    const next = followed(request, evaluation.location);
    const namesHost = origin.test(evaluation.location) && !leadsToOwnHost(rule.content.target);
    if (namesHost && canonicalHost(next.authority.replace(/:[0-9]*$/, '')) !== evaluation.request?.host)
      return undefined;
    answered.push({ rule, namesHost });
    request = next;
  }
  return answered;
}

/** The request a client makes for a `Location`. */
function followed(request: Witness, location: string): Witness {
  const [whole = '', scheme, authority = ''] = origin.exec(location) ?? [];
  const [rest = ''] = location.slice(whole.length).split('#', 1);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  if (scheme === undefined) return { ...request, target };
  return { ...request, scheme: scheme.length === 4 ? 'http' : 'https', authority, target };
}
