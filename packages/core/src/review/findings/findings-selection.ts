import { err, ok, type Result } from 'neverthrow';
import { type Page, type PageRequest, pageOf } from '../../kernel/shared/page.ts';
import { type InvalidInput, invalidInput } from '../../kernel/shared/violation.ts';
import { listIn, type ZoneDocument } from '../../zones/history/zone-document.ts';
import { ruleKindNames, unknownRule } from '../../zones/rule-kinds/rule-lists.ts';
import type { Finding, FindingCode, Severity } from './finding.ts';

/** A filter of findings; an undefined or empty criterion matches all. */
interface FindingFilter {
  readonly codes: readonly FindingCode[];
  readonly severities: readonly Severity[];
  readonly verdicts: readonly Finding['verdict'][];
  /** Id of a rule that must be among the finding's `rules`. */
  readonly rule: string | undefined;
}

/** A filter of findings, and a page. */
export interface FindingsSelection {
  readonly filter: FindingFilter;
  readonly page: PageRequest;
}

/** The requested page of the findings. */
export const pageOfFindings = <F extends Finding>(
  findings: readonly F[],
  { filter, page }: FindingsSelection,
): Page<F> => pageOf(findings.filter(isWanted(filter)), page);

const isWanted =
  ({ codes, severities, verdicts, rule }: FindingFilter) =>
  ({ code, severity, verdict, rules }: Finding): boolean =>
    isAmong(codes, code) &&
    isAmong(severities, severity) &&
    isAmong(verdicts, verdict) &&
    (rule === undefined || rules.some(({ id }) => id === rule));

const isAmong = <T>(wanted: readonly T[], value: T): boolean => wanted.length === 0 || wanted.includes(value);

/** Rejects the id of a rule that the document does not have, rather than report no findings for it. */
export function requireRule(document: ZoneDocument, id: string | undefined): Result<void, InvalidInput> {
  if (id === undefined) return ok();
  const exists = ruleKindNames.some((kind) => Object.hasOwn(listIn(document, kind).items, id));
  return exists ? ok() : err(invalidInput([unknownRule('rule')]));
}
