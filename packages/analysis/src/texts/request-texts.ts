import { type AddressPart, type AddressParts, defaultAddress, marks } from './address-words.ts';
import { type Automaton, type AutomatonSymbol, commonLabels, labelsBy, labelsOf, lazyAutomaton } from './automaton.ts';
import { oneOfTexts } from './literals.ts';
import { matching } from './pattern-automaton.ts';

const hexDigit = /^[0-9A-Fa-f]$/;
const upperHexDigits = /^[0-9A-F]+$/;
const unreserved = /^[A-Za-z0-9._~-]$/;

/**
 * The position relative to percent-triplets: the part of one read so far, and whether it follows a lone percent sign,
 * optionally with a digit. There, an encoded digit stays encoded (`%%32e`).
 */
interface TripletPlace {
  readonly read: string;
  readonly followsLone: boolean;
}

const noTriplet: TripletPlace = { read: '', followsLone: false };

/** Undefined: no canonical text has this here. */
function afterTriplet({ read, followsLone }: TripletPlace, character: string): TripletPlace | undefined {
  if (character === '%') return { read: '%', followsLone: read !== '' };
  if (read === '' || !hexDigit.test(character)) return noTriplet;
  if (read === '%') return { read: `%${character}`, followsLone };
  const digits = read.slice(1) + character;
  if (!upperHexDigits.test(digits)) return undefined;
  const meant = String.fromCharCode(Number.parseInt(digits, 16));
  const stays = !unreserved.test(meant) || (hexDigit.test(meant) && followsLone);
  return stays ? noTriplet : undefined;
}

/** The current segment's progress towards a dot segment: "", `.` or `..`; `-`: it cannot be one. */
type Segment = '' | '.' | '..' | '-';

interface TextPlace {
  readonly triplet: TripletPlace;
  /** Undefined in queries, which have no segments, and before a path's first slash. */
  readonly segment: Segment | undefined;
}

const visible = (symbol: AutomatonSymbol, refused: string): boolean =>
  symbol > 0x20 && symbol < 0x7f && !refused.includes(String.fromCharCode(symbol));

/** Hexadecimal digits and significant characters separately, then other visible characters, then the rest. */
const urlLabels = labelsBy((symbol) => {
  const character = String.fromCharCode(symbol);
  return hexDigit.test(character) || '%./?#'.includes(character) ? character : String(visible(symbol, ''));
});

function urlPart(start: TextPlace, refused: string, isPath: boolean): Automaton {
  const isDots = ({ segment }: TextPlace): boolean => segment === '.' || segment === '..';
  return lazyAutomaton<TextPlace | undefined>({
    start,
    step(place, symbol) {
      if (place === undefined || !visible(symbol, refused)) return undefined;
      const character = String.fromCharCode(symbol);
      const triplet = afterTriplet(place.triplet, character);
      if (triplet === undefined) return undefined;
      if (!isPath) return { triplet, segment: undefined };
      if (character === '/') return isDots(place) ? undefined : { triplet, segment: '' };
      return place.segment === undefined ? undefined : { triplet, segment: segmentAfter(place.segment, character) };
    },
    accepts: (place) => place !== undefined && !isDots(place) && (!isPath || place.segment !== undefined),
    fate: (place) => (place === undefined ? 'none' : 'open'),
    name: (place) =>
      place === undefined ? '' : `${place.triplet.read} ${place.triplet.followsLone} ${place.segment ?? '!'}`,
    labels: urlLabels,
  });
}

function segmentAfter(segment: Segment, character: string): Segment {
  if (character !== '.') return '-';
  return segment === '' ? '.' : segment === '.' ? '..' : '-';
}

/** Canonical paths (`normalizePath`) that start with a slash. */
const paths = (): Automaton => urlPart({ triplet: noTriplet, segment: undefined }, '#?', true);

/** Canonical queries. */
const queries = (): Automaton => urlPart({ triplet: noTriplet, segment: undefined }, '#', false);

const label = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?';
const group = '[0-9a-f]{1,4}';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const lastTwo = `(?:${group}:${group}|${octet}\\.${octet}\\.${octet}\\.${octet})`;
const before = (groups: number): string => `(?:(?:${group}:){0,${groups}}${group})?::`;

/** IPv6 addresses (RFC 3986, appendix A), in lower case. */
const ipv6 = [
  `(?:${group}:){6}${lastTwo}`,
  `::(?:${group}:){5}${lastTwo}`,
  ...[4, 3, 2, 1, 0].map((after) => `${before(4 - after)}(?:${group}:){${after}}${lastTwo}`),
  `${before(5)}${group}`,
  before(6),
];

/** Canonical hosts, disregarding the maximum length of hosts and labels. */
const hosts = (): Automaton => matching([`^${label}(?:\\.${label})*$`, ...ipv6.map((address) => `^\\[${address}\\]$`)]);

const isControl = (symbol: AutomatonSymbol): boolean => symbol < 0x20 || symbol === 0x7f || symbol > 0xff;

/** Header field values: trimmed, without control characters except tab. */
export function headerValues(): Automaton {
  const isBlank = (symbol: AutomatonSymbol): boolean => symbol === 0x20 || symbol === 0x09;
  return lazyAutomaton<'start' | 'text' | 'blank' | 'none'>({
    start: 'start',
    step(place, symbol) {
      if (place === 'none') return place;
      if (isBlank(symbol)) return place === 'start' ? 'none' : 'blank';
      return isControl(symbol) ? 'none' : 'text';
    },
    accepts: (place) => place === 'start' || place === 'text',
    fate: (place) => (place === 'none' ? 'none' : 'open'),
    name: (place) => place,
    labels: labelsBy((symbol) => (isBlank(symbol) ? 'blank' : String(isControl(symbol)))),
  });
}

/** Fixed parts of an address; the others are free. */
export type PartTexts = { readonly [Part in AddressPart]?: string | undefined };

/** The words of all addresses with these parts. */
export function addressWords({ scheme, ...texts }: PartTexts): Automaton {
  const part = (name: 'host' | 'path' | 'query', free: () => Automaton): Automaton =>
    texts[name] === undefined ? free() : oneOfTexts([texts[name]]);
  const schemes = (['https', 'http'] as const).filter((each) => scheme === undefined || scheme === each);
  return inSequence(schemes, [part('host', hosts), part('path', paths), part('query', queries)]);
}

/** The set being read, and the state in it; -1 before the scheme mark. */
interface SequencePlace {
  readonly set: number;
  readonly state: number;
}

/** Words of a scheme mark and a text of each set, with marks in between. */
function inSequence(schemes: readonly AddressParts['scheme'][], sets: readonly Automaton[]): Automaton {
  const separators: readonly AutomatonSymbol[] = [marks.path, marks.query];
  const first: readonly AutomatonSymbol[] = schemes.map((scheme) => marks[scheme]);
  const startOf = (set: number): SequencePlace | undefined =>
    sets[set] === undefined ? undefined : { set, state: sets[set].start };
  return lazyAutomaton<SequencePlace | undefined>({
    start: { set: -1, state: 0 },
    step(place, symbol) {
      if (place === undefined) return undefined;
      if (place.set < 0) return first.includes(symbol) ? startOf(0) : undefined;
      const set = sets[place.set];
      if (set === undefined) return undefined;
      if (symbol > 0xff) {
        return symbol === separators[place.set] && set.accepts(place.state) ? startOf(place.set + 1) : undefined;
      }
      const state = set.step(place.state, symbol);
      return set.fate(state) === 'none' ? undefined : { set: place.set, state };
    },
    accepts: (place) => place?.set === sets.length - 1 && sets[place.set]?.accepts(place.state) === true,
    fate: (place) => (place === undefined ? 'none' : 'open'),
    name: (place) => (place === undefined ? '' : `${place.set} ${place.state}`),
    labels: commonLabels([labelsOf(Object.values(marks)), ...sets.map(({ labels }) => labels)]),
  });
}

/** The parts of the asterisk-form. */
export const asterisk: PartTexts = { path: '*', query: '' };

/** Default values for the parts that nothing depends on. */
export const defaultParts = (looked: ReadonlySet<AddressPart>): PartTexts =>
  // `Object.entries` loses the key type.
  Object.fromEntries(Object.entries(defaultAddress).filter(([part]) => !looked.has(part as AddressPart)));
