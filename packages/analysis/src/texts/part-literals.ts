import { withHost, withPart } from './address-automata.ts';
import { type AddressPart, addressWord, marks } from './address-words.ts';
import type { Automaton } from './automaton.ts';
import { oneOfTexts, startingWith } from './literals.ts';
import type { PartTexts } from './request-texts.ts';

/** A part of the address is a text, or begins with it. Most rules are decided by such literals, without an automaton. */
export interface PartLiteral {
  readonly part: Exclude<AddressPart, 'scheme'>;
  readonly text: string;
  readonly isWhole: boolean;
}

/** The addresses that the literal describes, as an automaton. */
export function literalSet({ part, text, isWhole }: PartLiteral): Automaton {
  const texts = isWhole ? oneOfTexts([text]) : startingWith(text);
  return part === 'host' ? withHost(texts) : withPart(part, texts);
}

const bounds = {
  host: { enter: undefined, leave: marks.path },
  path: { enter: marks.path, leave: marks.query },
  query: { enter: marks.query, leave: undefined },
} as const;

/** Whether the literal describes the address; the same as membership in `literalSet`. */
export function describesWord({ part, text, isWhole }: PartLiteral, word: string): boolean {
  const { enter, leave } = bounds[part];
  // The host follows the scheme mark.
  const begin = enter === undefined ? 1 : word.indexOf(String.fromCharCode(enter)) + 1;
  if (!word.startsWith(text, begin)) return false;
  const end = begin + text.length;
  return !isWhole || (leave === undefined ? end === word.length : word.charCodeAt(end) === leave);
}

/**
 * The shortest address with the fixed parts that satisfies the literals, all of which must hold; undefined if a part is
 * neither fixed nor in a literal. `isOnly`: no other one can satisfy them.
 */
export function shortestAddress(literals: readonly PartLiteral[], fixed: PartTexts) {
  const { scheme } = fixed;
  const chosen = (['host', 'path', 'query'] as const).map((part): PartLiteral | undefined =>
    fixed[part] === undefined
      ? literals.filter((each) => each.part === part).toSorted(mostSaidFirst)[0]
      : { part, text: fixed[part], isWhole: true },
  );
  const [host, path, query] = chosen.map((literal) => literal?.text);
  if ((scheme !== 'http' && scheme !== 'https') || host === undefined || path === undefined || query === undefined)
    return undefined;
  return { word: addressWord({ scheme, host, path, query }), isOnly: chosen.every((literal) => literal?.isWhole) };
}

/** Whole texts before beginnings, long ones before short ones. */
const mostSaidFirst = (one: PartLiteral, other: PartLiteral): number =>
  Number(other.isWhole) - Number(one.isWhole) || other.text.length - one.text.length;
