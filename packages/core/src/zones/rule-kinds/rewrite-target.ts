import { groupsInRepetitions, type ParsedPattern, repeatsEmptyText, withLiteralHost } from '@zonewright/engine';

/** A problem of a target. */
export interface TargetProblem {
  readonly member: 'target' | 'sourcePattern';
  readonly code: string;
  readonly message: string;
}

/** How a target is used, which decides what it may contain. */
interface TargetUse {
  readonly redirects: boolean;
  /** The pattern whose groups it may reference; undefined: none. */
  readonly pattern: ParsedPattern | undefined;
}

/** The scheme and authority of a target, up to the path, query or fragment. */
const origin = /^https?:\/\/[^/?#]*/;
const literalOrigin = /^https?:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?$/;
/** Rules out a second slash, or a backslash that browsers treat as one: either would start a host. */
const path = /^\/(?![/\\])/;
const reference = /\$(.?)/g;
const referenceInHost = /\$(?:[1-9]|host)|\\/;
const lonePercent = /%(?![0-9A-Fa-f]{2})/;

/**
 * Problems of a rewrite rule's target.
 *
 * The client must never control the host (open redirect), so a target is either a path, or has a literal host or `$host`.
 * References may occur anywhere after the first slash: the result is normalized to start with a single slash, and
 * backslashes become `%5C`, so it cannot start with `//`.
 */
export function targetProblems(written: string, { redirects, pattern }: TargetUse): readonly TargetProblem[] {
  const target = withLiteralHost(written);
  return [
    ...unknownReferences(target, pattern?.captureGroups ?? 0),
    ...(pattern === undefined ? [] : ambiguousReferences(target, pattern)),
    ...formProblems(target, redirects),
  ];
}

function formProblems(target: string, redirects: boolean): readonly TargetProblem[] {
  const [host] = origin.exec(target) ?? [];
  return host === undefined
    ? pathProblems(target, redirects)
    : [...hostProblems(host, redirects), ...percentProblems(target)];
}

function pathProblems(target: string, redirects: boolean): readonly TargetProblem[] {
  if (!path.test(target)) return [wrongForm];
  const fragment = !redirects && target.includes('#') ? [unusedFragment] : [];
  return [...fragment, ...percentProblems(target)];
}

function hostProblems(host: string, redirects: boolean): readonly TargetProblem[] {
  const variable = referenceInHost.test(host.replaceAll('$$', '')) ? [variableHost] : [];
  const malformed = variable.length === 0 && !literalOrigin.test(host) ? [wrongForm] : [];
  const elsewhere = redirects || malformed.length > 0 ? [] : [otherHost];
  return [...variable, ...malformed, ...elsewhere];
}

const percentProblems = (target: string): readonly TargetProblem[] => (lonePercent.test(target) ? [wrongPercent] : []);

function unknownReferences(target: string, groups: number): readonly TargetProblem[] {
  const [host = ''] = origin.exec(target) ?? [];
  const isHost = (index: number): boolean => index < host.length && target.startsWith('$host', index);
  return [...target.matchAll(reference)]
    .filter(
      ({ 1: sign = '', index }) => sign !== '$' && !isHost(index) && !(/^[1-9]$/.test(sign) && Number(sign) <= groups),
    )
    .map(({ 0: text, index }) => ({
      member: 'target',
      code: 'rewriteRule.target.reference',
      message: `"${text}" at position ${index} does not refer to a group of the pattern; write "$$" for a dollar sign.`,
    }));
}

/** References that regular-expression engines interpret differently. */
function ambiguousReferences(target: string, pattern: ParsedPattern): readonly TargetProblem[] {
  const named = [...target.matchAll(reference)].flatMap(([, sign = '']) =>
    /^[1-9]$/.test(sign) ? [Number(sign)] : [],
  );
  if (named.length === 0) return [];
  const repeated = groupsInRepetitions(pattern);
  const problems = named.filter((group) => repeated.has(group)).map(repeatedReference);
  return repeatsEmptyText(pattern) ? [...problems, emptyRepetition] : problems;
}

const repeatedReference = (group: number): TargetProblem => ({
  member: 'target',
  code: 'rewriteRule.target.reference.repeated',
  message: `The group of "$${group}" is repeated, so its final value would depend on the proxy.`,
});

const emptyRepetition: TargetProblem = {
  member: 'sourcePattern',
  code: 'rewriteRule.sourcePattern.emptyRepetition',
  message: 'The pattern repeats something that can be empty, so the values of its groups would depend on the proxy.',
};

const form = (message: string): TargetProblem => ({ member: 'target', code: 'rewriteRule.target.form', message });
const wrongForm = form('This value should be a path that starts with a single "/", or an http or https URL.');
const unusedFragment = form('Only a redirect can have a fragment; write a path without "#".');
const wrongPercent = form(
  'A percent sign must be followed by two hexadecimal digits; write "%25" for a literal percent sign.',
);

const variableHost: TargetProblem = {
  member: 'target',
  code: 'rewriteRule.target.reference.host',
  message:
    'The host must be literal, or "$host" for that of the request: other references and "\\" are not allowed before the first "/" of the path.',
};

const otherHost: TargetProblem = {
  member: 'target',
  code: 'rewriteRule.target.otherHost',
  message: 'A rewrite cannot change the host; write a path, or make the rule a redirect.',
};
