import type { Reason } from '@zonewright/core';
import type { AccessRule, Disposition, RewriteRule, SettingKey } from '@zonewright/engine';
import { type AnalysedRule, isTerminal, reachedIn } from '../findings/analysed-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import { opposite } from '../solver/predicates.ts';
import { type Branches, branchesPast, branchesToAnswer, credentials, decidingKeys } from './branches.ts';
import { kindOf } from './change.ts';
import { type Aspect, answerOf, aspects, hasBackend, isAuthRequired, reasons } from './differences.ts';
import type { Lists } from './lists.ts';
import { unlike } from './rewriting.ts';
import { goesOn, type Routes, rewrittenBy } from './routes.ts';
import { anyRoute, type Comparison, type Route, type Views } from './search.ts';
import { reachedBy, writerPairs } from './setting-changes.ts';
import { isRefusal, type Side, type Writer } from './side.ts';

type Access = AnalysedRule<AccessRule>;
type At = 'before' | 'after';

/** An answer a configuration may give, and its conditions. */
interface Answer {
  readonly disposition: Disposition;
  readonly because: readonly Reason[];
  /** Conditions on the request as the client sent it. */
  readonly client: () => Clauses;
  /** Conditions on the request as the configuration rules see it. */
  readonly rules: () => Clauses;
  /** Whether the answer comes from an access rule, a redirect, or a later phase. */
  readonly from: 'access' | AnalysedRule<RewriteRule> | 'rest';
}

/** Searches for requests that get different answers. */
export class AnswerChanges {
  readonly #comparison: Comparison;
  readonly #lists: Lists;
  readonly #routes: Routes;

  constructor(comparison: Comparison, lists: Lists, routes: Routes) {
    this.#comparison = comparison;
    this.#lists = lists;
    this.#routes = routes;
  }

  seek(): void {
    this.#seekAccess();
    this.#seekRedirects();
    this.#seekRest();
  }

  /** Requests that an access rule answers in one configuration, and that get a different answer in the other. */
  #seekAccess(): void {
    const { only, partner } = this.#lists.access;
    for (const at of ['before', 'after'] as const) {
      const other = at === 'before' ? 'after' : 'before';
      const rest = this.#answersBehindAccess(other);
      const terminalRules = this.#comparison[other].terminalRules.map((each) => this.#endedBy(each, other));
      for (const terminalRule of this.#comparison[at].terminalRules) {
        const answer = this.#endedBy(terminalRule, at);
        const counterpart = partner(terminalRule);
        if (counterpart === undefined) {
          for (const each of [...terminalRules, ...rest]) this.#seekPair(at, answer, each);
        } else {
          // A rule in both lists is skipped in only one of them only if a rule exclusive to that list stopped it
          // earlier.
          const passing = only[other].filter(
            (each) => each.stops && !isTerminal(each) && each.place < counterpart.place,
          );
          for (const stop of passing) {
            const client = reachedIn(this.#comparison[other].rules.accessRules, stop);
            for (const each of rest) {
              this.#seekPair(at, answer, { ...each, client: () => [...each.client(), ...client] });
            }
          }
        }
      }
    }
  }

  /** Requests that no access rule ends and that one configuration redirects. */
  #seekRedirects(): void {
    for (const route of this.#routes.different.filter((each) => !goesOn(each))) {
      const clauses = unlike(route.before, route.after, this.#comparison.readings, this.#comparison.predicates);
      const [before, after] = [this.#answersOnRoute(route, 'before'), this.#answersOnRoute(route, 'after')];
      for (const one of before) {
        for (const other of after) this.#seekOn([route], one, other, clauses);
      }
    }
  }

  /** Requests that both configurations answer after the configuration rules. */
  #seekRest(): void {
    const { before, after } = this.#comparison;
    const isWritten = [before, after].some((side) => decidingKeys.some((key) => side.writers(key).length > 0));
    const isNew = this.#decidesAnew();
    const routes = [
      ...(isNew ? this.#routes.same : []),
      ...(isNew || isWritten ? this.#routes.different.filter(goesOn) : []),
    ];
    if (routes.length === 0) return;
    for (const one of this.#decided('before')) {
      for (const other of this.#decided('after')) this.#seekOn(routes, one, other);
    }
  }

  /** Whether anything differs that decides the answer after the configuration rules. */
  #decidesAnew(): boolean {
    const { before, after } = this.#lists.access.only;
    const spares = [...before, ...after].some(
      ({ content, stops }) => stops || content.skipTargets.includes('underAttack'),
    );
    return spares || deciding.some((aspect) => writerPairs(this.#comparison, this.#lists, aspect).next().done !== true);
  }

  #seekPair(at: At, answer: Answer, other: Answer): void {
    if (this.#comparison.isOver) return;
    const [one, two] = at === 'before' ? [answer, other] : [other, answer];
    const routes = other.from === 'access' ? [anyRoute] : this.#routesOf(at === 'before' ? 'after' : 'before', other);
    this.#seekOn(routes, one, two);
  }

  /** The routes of one side to an answer. */
  #routesOf(at: At, { from }: Answer): readonly Route[] {
    const side = this.#comparison[at];
    const route = (rule: AnalysedRule<RewriteRule> | undefined): Route => ({
      ...anyRoute,
      clauses: () => rewrittenBy(side, rule),
      [at]: rule,
    });
    if (from !== 'rest' && from !== 'access') return [route(from)];
    const rewriting = side.rules.rewriteRules.filter(({ content }) => content.type === 'rewrite');
    return [undefined, ...rewriting].map(route);
  }

  #seekOn(routes: readonly Route[], before: Answer, after: Answer, clauses: Clauses | undefined = []): void {
    const isRedirect = before.disposition === 'redirect' && after.disposition === 'redirect';
    if (
      this.#comparison.isOver ||
      (before.disposition === after.disposition && (!isRedirect || clauses === undefined))
    ) {
      return;
    }
    const wanted = kindOf({ key: 'answer', because: { before: before.because, after: after.because } });
    this.#comparison.seek({
      client: [...before.client(), ...after.client(), ...(isRedirect ? (clauses ?? []) : [])],
      before: before.rules(),
      after: after.rules(),
      routes,
      isShown: (kinds) => kinds.has(wanted),
      branches: (views) => this.#branches(views, before, after),
    });
  }

  #branches(views: Views, before: Answer, after: Answer): Branches | undefined {
    for (const [at, answer] of [
      ['before', before],
      ['after', after],
    ] as const) {
      const view = views[at];
      const past = answer.from === 'access' ? undefined : branchesPast(view);
      if (past !== undefined) return past;
      const { disposition } = view.evaluation;
      const isAsked =
        disposition === answer.disposition && JSON.stringify(answerOf(view).because) === JSON.stringify(answer.because);
      if (answer.from === 'rest' && !isAsked) return branchesToAnswer(view, this.#comparison.predicates, at);
    }
    return undefined;
  }

  #endedBy(rule: Access, at: At): Answer {
    const client = () => reachedIn(this.#comparison[at].rules.accessRules, rule);
    // An access rule that ends requests has one of these actions.
    const disposition = isRefusal(rule) ? 'rejected' : (rule.content.action as 'block' | 'challenge');
    return { disposition, because: reasons(rule), client, rules: () => [], from: 'access' };
  }

  #answersBehindAccess(at: At): readonly Answer[] {
    const redirects = this.#comparison[at].rules.rewriteRules.filter(({ content }) => content.type === 'redirect');
    return [...redirects.map(redirectedBy), ...this.#decided(at)];
  }

  #answersOnRoute(route: Route, at: At): readonly Answer[] {
    const rule = route[at];
    return rule?.content.type === 'redirect' ? [redirectedBy(rule)] : this.#decided(at);
  }

  /** The answers that settings decide. */
  #decided(at: At): readonly Answer[] {
    const side = this.#comparison[at];
    const missing = opposite(credentials(this.#comparison.predicates));
    const by = (disposition: Disposition, key: SettingKey, isSo: (value: unknown) => boolean, client: Clauses = []) =>
      [undefined, ...side.writers(key)]
        .filter((writer) => isSo(side.valueOf(key, writer)))
        .map((writer) => decidedBy(side, disposition, key, writer, client));
    return [
      { disposition: 'serve', because: [], client: () => [], rules: () => [], from: 'rest' },
      ...by('challenge', 'underAttack', Boolean),
      ...by('unauthorized', 'basicAuth', isAuthRequired, [[missing]]),
      ...by('maintenance', 'customPagesMaintenanceActive', Boolean),
      ...by('noBackend', 'defaultBackend', (value) => !hasBackend(side, value)),
    ];
  }
}

/** Settings that decide the answer, and aspects that depend on them. */
const deciding: readonly Aspect[] = aspects.filter(({ source }) => decidingKeys.some((key) => key === source));

const redirectedBy = (rule: AnalysedRule<RewriteRule>): Answer => ({
  disposition: 'redirect',
  because: reasons(rule),
  client: () => [],
  rules: () => [],
  from: rule,
});

const decidedBy = (side: Side, disposition: Disposition, key: SettingKey, writer: Writer, client: Clauses): Answer => ({
  disposition,
  because: reasons(writer),
  client: () => client,
  rules: () => reachedBy(side, key, writer),
  from: 'rest',
});
