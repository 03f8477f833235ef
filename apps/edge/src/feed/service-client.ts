import { Changes, type EdgeReport, Enrolment } from '@zonewright/edge-protocol';
import { err, ok, ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import {
  answerUnreadable,
  type CallFailure,
  type DocumentUnavailable,
  documentUnavailable,
  keyInUse,
  keyRefused,
  serviceUnreachable,
} from './failures.ts';

/** Far above any document; what is longer is not read. */
const maxAnswerBytes = 64 * 1024 * 1024;

interface Call {
  readonly method?: 'POST' | 'PUT';
  readonly body?: object;
  readonly waitSeconds?: number;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** How to call the service. */
export interface ClientOptions {
  /** Without a trailing slash. */
  readonly serviceUrl: string;
  readonly key?: string;
  /** Milliseconds after which an answer is given up, besides the time that the service is asked to wait. */
  readonly answerTimeout: number;
}

/** Calls the service. */
export class ServiceClient {
  readonly #base: string;
  readonly #answerTimeout: number;
  readonly #key: string | undefined;
  readonly #open = new Set<AbortController>();

  /** Without a key it can only enrol. */
  constructor({ serviceUrl, key, answerTimeout }: ClientOptions) {
    this.#base = `${serviceUrl}/edge/v1`;
    this.#key = key;
    this.#answerTimeout = answerTimeout;
  }

  /** Exchanges an enrolment token, which can be used once. */
  enrol(token: string): ResultAsync<Enrolment, CallFailure> {
    return this.#call('/enrolments', { method: 'POST', body: { token } }).andThen((answer) =>
      answer.status === 201 ? read(Enrolment, answer) : err(failureOf(answer)),
    );
  }

  /** What has changed since `after`; undefined: the whole state. The service waits for something to tell. */
  changes(after: string | undefined, waitSeconds: number): ResultAsync<Changes, CallFailure> {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait=${waitSeconds}`;
    return this.#call(`/changes${query}`, { waitSeconds }).andThen((answer) =>
      answer.status === 200 ? read(Changes, answer) : err(failureOf(answer)),
    );
  }

  /** The bytes of a document, unchecked. */
  document(digest: string): ResultAsync<Buffer, CallFailure | DocumentUnavailable> {
    return this.#call(`/documents/${encodeURIComponent(digest)}`).andThen((answer) => {
      if (answer.status === 200) return ok(answer.body);
      return err(isOfOneDocument(answer.status) ? documentUnavailable(answer.status) : failureOf(answer));
    });
  }

  /** Tells the service the state of this edge. */
  report(state: EdgeReport): ResultAsync<void, CallFailure> {
    return this.#call('/state', { method: 'PUT', body: state }).andThen((answer) =>
      answer.status === 204 ? ok() : err(failureOf(answer)),
    );
  }

  /** Ends all calls; they fail as unreachable. */
  close(): void {
    for (const controller of this.#open) controller.abort();
  }

  #call(path: string, call: Call = {}): ResultAsync<Answer, CallFailure> {
    return ResultAsync.fromPromise(this.#answer(path, call), (error) => serviceUnreachable(reasonOf(error)));
  }

  async #answer(path: string, { method, body, waitSeconds = 0 }: Call): Promise<Answer> {
    const controller = new AbortController();
    this.#open.add(controller);
    const timer = setTimeout(
      () => controller.abort(new Error('no answer in time')),
      waitSeconds * 1000 + this.#answerTimeout,
    );
    try {
      const response = await fetch(`${this.#base}${path}`, {
        ...(method === undefined ? {} : { method }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          ...(this.#key === undefined ? {} : { Authorization: `Bearer ${this.#key}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          Accept: 'application/json',
        },
        // The key is for this service only.
        redirect: 'error',
        signal: controller.signal,
      });
      return { status: response.status, body: await bytesOf(response) };
    } finally {
      clearTimeout(timer);
      this.#open.delete(controller);
    }
  }
}

async function bytesOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxAnswerBytes) throw new Error(`an answer of more than ${maxAnswerBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

/** `fetch` fails with a general error, whose cause says what happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}

/** Whether a status says something about the requested document, and not about the service or this edge. */
const isOfOneDocument = (status: number): boolean =>
  ![401, 403, 409, 429].includes(status) && ((status >= 400 && status < 500) || status === 500);

function failureOf({ status }: Answer): CallFailure {
  if (status === 401) return keyRefused();
  if (status === 409) return keyInUse();
  return status === 429 || status >= 500
    ? serviceUnreachable(`status ${status}`)
    : answerUnreadable(`status ${status}`);
}

function read<S extends z.ZodType>(schema: S, { body }: Answer) {
  try {
    const parsed = schema.safeParse(JSON.parse(body.toString('utf8')));
    if (parsed.success) return ok(parsed.data);
    const [first] = parsed.error.issues;
    return err(answerUnreadable(`${first?.path.join('.')}: ${first?.message}`));
  } catch {
    return err(answerUnreadable('no JSON'));
  }
}
