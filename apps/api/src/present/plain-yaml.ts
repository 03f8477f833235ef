import { err, ok, type Result } from 'neverthrow';
import { CST, isAlias, isNode, isPair, isScalar, Lexer, Parser, parseDocument, visit } from 'yaml';

/** A construct beyond plain YAML; `message` is a complete sentence. */
export interface YamlProblem {
  readonly code: 'text.control' | 'text.encoding' | 'tooLong' | 'construct' | 'yaml';
  readonly message: string;
}

const problem = (code: YamlProblem['code'], message: string): Result<never, YamlProblem> => err({ code, message });

/** Far more than a scenario of the maximum size needs. */
const maxParts = 2000;
const maxDepth = 32;

/**
 * Parses one YAML 1.2 document of plain values: JSON plus comments. Rejects anchors, aliases, tags, merge keys and
 * member names that are special in JavaScript. Checks size and depth before composing, because the composer recurses,
 * reports every one of thousands of errors, and compares each key with all others.
 */
export function plainYaml(text: string): Result<unknown, YamlProblem> {
  if (!text.isWellFormed()) return problem('text.encoding', 'This value contains a lone surrogate.');
  if (/[^\P{Cc}\n\r\t]/u.test(text)) return problem('text.control', 'This value contains a control character.');
  if (partsIn(text) > maxParts) return problem('tooLong', `A definition can have at most ${maxParts} parts.`);
  if (isDeep(text)) return problem('construct', `A definition can be nested at most ${maxDepth} levels deep.`);
  const document = parseDocument(text, { schema: 'core', version: '1.2', stringKeys: true, prettyErrors: false });
  const construct = refusedConstruct(document);
  if (construct !== undefined) return problem('construct', `A definition cannot contain ${construct}.`);
  const [error] = document.errors;
  if (error === undefined) return ok(document.toJS({ maxAliasCount: 0 }));
  const line = text.slice(0, error.pos[0]).split('\n').length;
  return problem('yaml', `This value is not valid YAML. ${error.message}, in line ${line}.`);
}

const layout: ReadonlySet<CST.TokenType | null> = new Set(['space', 'newline', 'comment'] as const);

/** The number of values and indicators, capped at one above the maximum. */
function partsIn(text: string): number {
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (!layout.has(CST.tokenType(lexeme))) parts += 1;
    if (parts > maxParts) break;
  }
  return parts;
}

/** Iterative, so that deep nesting cannot exhaust the stack. */
function isDeep(text: string): boolean {
  let level: readonly CST.Token[] = [...new Parser().parse(text)].flatMap((token) =>
    token.type === 'document' && token.value !== undefined ? [token.value] : [],
  );
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((token) => ('items' in token ? token.items : []).flatMap(insideOf));
  }
  return false;
}

const insideOf = ({ key, value }: CST.CollectionItem): readonly CST.Token[] =>
  [key, value].filter((token) => token !== undefined && token !== null);

const refusedNames: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);

/** The first construct that goes beyond plain values. */
function refusedConstruct(document: ReturnType<typeof parseDocument>): string | undefined {
  if (document.errors.some(({ code }) => code === 'MULTIPLE_DOCS')) return 'a second document';
  let construct: string | undefined;
  visit(document, (_, node) => {
    if (isAlias(node)) construct = 'aliases';
    else if (isNode(node) && 'anchor' in node && node.anchor !== undefined) construct = 'anchors';
    else if (isNode(node) && node.tag !== undefined) construct = 'tags';
    else if (isPair(node)) construct = refusedKey(isScalar(node.key) ? node.key.value : undefined);
    return construct === undefined ? undefined : visit.BREAK;
  });
  return construct;
}

function refusedKey(key: unknown): string | undefined {
  if (key === '<<') return 'merge keys';
  return refusedNames.has(key) ? `a member named ${String(key)}` : undefined;
}
