import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { documentOf, type MadeDocument, type ZoneDraft } from './documents.ts';

/** What an edge reported. */
export interface Report {
  readonly version: string;
  readonly semantics: number;
  readonly startedAt: string;
  readonly stateId: string;
  readonly position?: string;
  readonly zones: {
    readonly applied: number;
    readonly rejected: readonly { readonly id: string; readonly digest: string; readonly code: string }[];
  };
  readonly purged: number;
  readonly proxy: { readonly kind: string; readonly version: string };
  readonly unsupportedSettings: readonly string[];
}

/** An answer in place of the usual one: a status, or silence. */
export type Fault = number | 'silence' | 'cut';

/** What the service does wrong; each is asked for every request of its kind. */
export interface Faults {
  changes?: (answer: Readonly<Record<string, unknown>>, after: string | undefined) => object | Fault;
  document?: (digest: string, bytes: Buffer) => Buffer | Fault;
  report?: () => Fault | undefined;
  /** Everything. */
  all?: () => Fault | undefined;
}

interface FakeZone {
  readonly sequence: number;
  /** Undefined: removed. */
  readonly document: MadeDocument | undefined;
  readonly revision: number;
  readonly hostnames: readonly string[];
}

/** The service's side of `/edge/v1`, on a port of its own, with all edges in one scope. */
export class FakeService {
  readonly faults: Faults = {};
  readonly reports: Report[] = [];
  /** Paths of all requests. */
  readonly requests: string[] = [];
  readonly keys = new Map<string, string>();
  readonly tokens = new Map<string, string>();
  readonly #zones = new Map<string, FakeZone>();
  readonly #documents = new Map<string, Buffer>();
  readonly #waiting = new Set<() => void>();
  readonly #watching = new Set<() => void>();
  readonly #server: Server;
  #generation = 1;
  #sequence = 0;
  #reporting:
    | { readonly key: string; readonly startedAt: string; readonly stateId: string; readonly at: number }
    | undefined;
  /** Seconds for which a second process with a key is refused after a report of the first. */
  claimSeconds = 0;
  /** Called for every request, before it is answered. */
  onRequest: () => void = () => undefined;
  /** Zones in one answer. */
  pageSize = 1000;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Listens on a port, or any free one; resolves to the address. */
  async open(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Refuses connections; waiting ones are cut. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** A token for one enrolment. */
  addToken(name = 'edge-1'): string {
    const token = `zwt_${name}`;
    this.tokens.set(token, name);
    return token;
  }

  /** A key, as after an enrolment. */
  addKey(name = 'edge-1'): string {
    const key = `zwe_${name.padEnd(40, '0')}`;
    this.keys.set(key, name);
    return key;
  }

  /** Adds or changes a zone. */
  put(draft: ZoneDraft): MadeDocument {
    return this.putMade(draft, documentOf(draft));
  }

  /** The same with a document that the test made. */
  putMade({ id, revision = 1, hostnames = [`${id}.example`] }: ZoneDraft, document: MadeDocument): MadeDocument {
    this.#documents.set(document.digest, document.bytes);
    this.#change(id, { document, revision, hostnames });
    return document;
  }

  /** The bytes of a document. */
  documentOf(digest: string): Buffer {
    return this.#documents.get(digest) ?? Buffer.alloc(0);
  }

  remove(id: string): void {
    this.#change(id, { document: undefined, revision: 0, hostnames: [] });
  }

  /** As after a restored backup: positions of before are not known. */
  forgetPositions(): void {
    this.#generation += 1;
    for (const [id, { document }] of this.#zones) if (document === undefined) this.#zones.delete(id);
    this.#wake();
  }

  /** The last zones are gone without a trace, as in an older backup. */
  forget(id: string): void {
    this.#zones.delete(id);
  }

  /** Resolves to the first report that fits, from those that come from now on or the last one. */
  reported(fits: (report: Report) => boolean): Promise<Report> {
    return this.until(() => {
      const last = this.reports.at(-1);
      return last !== undefined && fits(last) ? last : undefined;
    });
  }

  /** Resolves to a value, once there is one; looked for after every request. */
  until<T>(read: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const value = read();
        if (value === undefined) return;
        this.#watching.delete(look);
        resolve(value);
      };
      this.#watching.add(look);
      look();
    });
  }

  get position(): string {
    return `${this.#generation}.${this.#sequence}`;
  }

  #change(id: string, zone: Omit<FakeZone, 'sequence'>): void {
    this.#sequence += 1;
    this.#zones.set(id, { ...zone, sequence: this.#sequence });
    this.#wake();
  }

  #wake(): void {
    for (const each of this.#waiting) each();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://service');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    this.onRequest();
    const body = await textOf(request);
    const fault = this.faults.all?.();
    if (fault !== undefined) fail(response, fault);
    else await this.#route(`${request.method} ${url.pathname}`, { url, body, request, response });
    for (const each of this.#watching) each();
  }

  async #route(route: string, call: Call): Promise<void> {
    if (route === 'POST /edge/v1/enrolments') return this.#enrol(call);
    const key = /^Bearer (zwe_\S+)$/.exec(call.request.headers.authorization ?? '')?.[1];
    if (key === undefined || !this.keys.has(key)) return fail(call.response, 401);
    if (route === 'GET /edge/v1/changes') return this.#changes(call);
    if (route === 'PUT /edge/v1/state') return this.#report(key, call);
    const digest = /^GET \/edge\/v1\/documents\/(.+)$/.exec(route)?.[1];
    return digest === undefined ? fail(call.response, 404) : this.#document(decodeURIComponent(digest), call);
  }

  #enrol({ body, response }: Call): void {
    const { token } = JSON.parse(body) as { readonly token: string };
    const name = this.tokens.get(token);
    if (name === undefined) return fail(response, 401);
    this.tokens.delete(token);
    send(response, 201, { edge: 'e1', name, key: this.addKey(name) });
  }

  async #changes({ url, response }: Call): Promise<void> {
    const after = url.searchParams.get('after') ?? undefined;
    const wait = Number(url.searchParams.get('wait') ?? 0);
    if (!Number.isInteger(wait) || wait < 0 || wait > 55) return fail(response, 422);
    let answer = this.#changesAfter(after);
    if (wait > 0 && after !== undefined && answer.zones.length === 0 && !answer.reset) {
      await this.#wokenWithin(wait, response);
      answer = this.#changesAfter(after);
    }
    const changed = this.faults.changes?.(answer, after) ?? answer;
    if (typeof changed === 'object') send(response, 200, changed);
    else fail(response, changed);
  }

  #wokenWithin(seconds: number, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, seconds * 1000);
      this.#waiting.add(end);
      response.once('close', end);
    });
  }

  #changesAfter(after: string | undefined) {
    const [generation, sequence = 0] = (after ?? '').split('.').map(Number);
    const isKnown = after !== undefined && generation === this.#generation;
    const since = isKnown ? sequence : 0;
    const all = [...this.#zones]
      .filter(([, zone]) => zone.sequence > since && (isKnown || zone.document !== undefined))
      .sort(([, a], [, b]) => a.sequence - b.sequence);
    const page = all.slice(0, this.pageSize);
    const more = all.length > this.pageSize;
    const last = page.at(-1)?.[1].sequence ?? this.#sequence;
    return {
      position: `${this.#generation}.${more ? last : this.#sequence}`,
      more,
      reset: after !== undefined && !isKnown,
      zones: page.map(([id, { document, revision, hostnames }]) =>
        document === undefined ? { id, removed: true } : { id, revision, digest: document.digest, hostnames },
      ),
      purges: [],
    };
  }

  #document(digest: string, { response }: Call): void {
    const bytes = this.#documents.get(digest);
    if (bytes === undefined) return fail(response, 404);
    const sent = this.faults.document?.(digest, bytes) ?? bytes;
    if (!Buffer.isBuffer(sent)) return fail(response, sent);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(gzipSync(sent));
  }

  #report(key: string, { body, response }: Call): void {
    const fault = this.faults.report?.();
    if (fault !== undefined) return fail(response, fault);
    const report = JSON.parse(body) as Report;
    const first = this.#reporting;
    const isTaken =
      first?.key === key &&
      first.startedAt !== report.startedAt &&
      first.stateId !== report.stateId &&
      performance.now() - first.at < this.claimSeconds * 1000;
    if (isTaken) return fail(response, 409);
    const { startedAt, stateId } = report;
    this.#reporting = { key, startedAt, stateId, at: performance.now() };
    this.reports.push(report);
    response.writeHead(204).end();
  }
}

interface Call {
  readonly url: URL;
  readonly body: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'cut') response.destroy();
  else if (fault !== 'silence') {
    response
      .writeHead(fault, { 'Content-Type': 'application/problem+json' })
      .end(JSON.stringify({ type: '/errors/some-error', title: 'Some error', status: fault }));
  }
}
