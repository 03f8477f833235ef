import type { AccessRule, ConfigurationRule, RewriteRule } from '@zonewright/engine';
import type { AnalysedRule } from '../findings/analysed-rules.ts';
import type { Formula } from '../solver/clauses.ts';
import { literalName } from '../solver/predicates.ts';
import { type Alignment, aligned } from './alignment.ts';
import type { Side } from './side.ts';

/** The rules that two configurations have in common in the same order, whatever their names. */
export interface Lists {
  readonly access: Alignment<AnalysedRule<AccessRule>>;
  readonly rewrites: Alignment<AnalysedRule<RewriteRule>>;
  /** Compared without their settings: by conditions and `stopOnMatch`. */
  readonly rules: Alignment<AnalysedRule<ConfigurationRule>>;
}

/** Aligns the lists of both sides. */
export const listsOf = ({ rules: before }: Side, { rules: after }: Side): Lists => ({
  access: aligned(before.accessRules, after.accessRules, ({ formula, stops, content }) => {
    const skipTargets = content.action === 'skip' ? content.skipTargets.toSorted() : [];
    return JSON.stringify([formulaName(formula), stops, content.action, skipTargets]);
  }),
  rewrites: aligned(before.rewriteRules, after.rewriteRules, ({ formula, content }) => {
    const { type, target, preserveQueryString, statusCode } = content;
    const status = type === 'redirect' ? statusCode : null;
    return JSON.stringify([formulaName(formula), type, target, preserveQueryString, status]);
  }),
  rules: aligned(before.configurationRules, after.configurationRules, ({ formula, stops }) =>
    JSON.stringify([formulaName(formula), stops]),
  ),
});

/** A key for rules that have textually equal conditions. */
export const formulaName = ({ literals, isAnd }: Formula): string => `${isAnd} ${literals.map(literalName).join()}`;
