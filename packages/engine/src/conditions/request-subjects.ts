import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { Work } from '../work.ts';
import type { FieldName } from './fields.ts';
import { readingWork, type SeenRequest, type Subject, subjectOf } from './subjects.ts';
import type { Tri } from './tri.ts';

/** A subject as shown in an evaluation: possible secrets are replaced by their length in bytes. */
export type ShownSubject = readonly (string | { readonly length: number })[];

const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Whether values of the field are shown by length only; header names must be in lower case. */
export const isSecret = (field: FieldName, target: string): boolean =>
  field === 'cookie' || (field === 'header' && secretHeaders.has(target));

/** A secret as shown in an evaluation. */
export const shownSecret = (value: string): { readonly length: number } => ({ length: value.length });

interface Source {
  readonly field: FieldName;
  readonly target: string;
  readonly isSecret: boolean;
}

/** Work of reading any subject. */
const workForSubject = 20;

/** The distinct subjects that the conditions of a configuration test, by number. */
export class SubjectTable {
  readonly #work: Work;
  readonly #sources: Source[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** The number of a subject; equal for the same field and canonical target. */
  numberOf(field: FieldName, target: string): number {
    const key = `${field} ${target}`;
    const number = this.#numbers.get(key);
    if (number !== undefined) return number;
    this.#numbers.set(key, this.#sources.length);
    return this.#sources.push({ field, target, isSecret: isSecret(field, target) }) - 1;
  }

  /** The subjects of a request, read lazily. */
  of(seen: SeenRequest): RequestSubjects {
    return new RequestSubjects(this.#sources, seen, this.#work);
  }
}

/** The result of one condition for a request. */
export interface LeafAnswer {
  /** Index among the conditions as written, from 0. */
  readonly index: number;
  readonly result: Tri;
  /** Absent if unknown. */
  readonly subject?: ShownSubject;
}

/** One subject of one request. */
export class RequestSubject {
  /** Undefined: unknown. */
  readonly values: Subject | undefined;
  readonly #isSecret: boolean;
  readonly #answers: (LeafAnswer | undefined)[] = [];

  constructor(values: Subject | undefined, secret: boolean) {
    this.values = values;
    this.#isSecret = secret;
  }

  /** The result of a condition that tests the subject. */
  answer(index: number, result: Tri): LeafAnswer {
    // Cached: many conditions have the same result for the same subject.
    const place = 2 * index + (result === 'true' ? 1 : 0);
    const cached = this.#answers[place];
    if (cached !== undefined) return cached;
    const made = this.#made(index, result);
    this.#answers[place] = made;
    return made;
  }

  #made(index: number, result: Tri): LeafAnswer {
    if (this.values === undefined) return { index, result };
    return { index, result, subject: this.#isSecret ? this.values.map(shownSecret) : this.values };
  }
}

/** The subjects of one request, by number. */
export class RequestSubjects {
  readonly #sources: readonly Source[];
  readonly #seen: SeenRequest;
  readonly #work: Work;
  readonly #read: (RequestSubject | undefined)[];
  /** Whether cookies and parameters have been split. */
  readonly #split = { cookie: false, queryParam: false };

  constructor(sources: readonly Source[], seen: SeenRequest, work: Work) {
    this.#sources = sources;
    this.#seen = seen;
    this.#work = work;
    work.spend(sources.length);
    this.#read = sources.map(() => undefined);
  }

  /** The request they belong to. */
  get request(): CanonicalRequest {
    return this.#seen.request;
  }

  /** The subject of the number. */
  at(number: number): RequestSubject {
    const cached = this.#read[number];
    if (cached !== undefined) return cached;
    const read = this.#readSubject(number);
    this.#read[number] = read;
    return read;
  }

  #readingWork(field: FieldName): number {
    if (field !== 'cookie' && field !== 'queryParam') return readingWork(field, this.#seen);
    if (this.#split[field]) return 0;
    this.#split[field] = true;
    return readingWork(field, this.#seen);
  }

  #readSubject(number: number): RequestSubject {
    const source = this.#sources[number];
    if (source === undefined) return new RequestSubject(undefined, false);
    this.#work.spend(workForSubject + this.#readingWork(source.field));
    return new RequestSubject(subjectOf(source.field, source.target, this.#seen), source.isSecret);
  }
}
