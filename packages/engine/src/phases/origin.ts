import type { PassedRequest } from '../cache/cache-decision.ts';
import type { Tri } from '../conditions/tri.ts';
import { type Backend, type Backends, backendOf } from '../configuration/backends.ts';
import type { Mutable } from '../mutable.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { Address } from '../rewrites/target.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { HeaderOperation } from '../settings/setting-table.ts';
import type { Names } from './names.ts';

/** A server that may get the request. */
export interface OriginChoice {
  readonly originServer: string;
  readonly protocol: 'http' | 'https';
  readonly address: string;
  readonly port: number;
  /** The `Host` header. */
  readonly host: string;
  readonly weight: number;
}

/** The origin in an evaluation. */
export interface OriginAnswer {
  /** This and the next two are present only if a single backend is possible. */
  readonly backend?: string;
  /** For load balancers. */
  readonly method?: string;
  /** The enabled ones, in order; which of them gets the request is not part of the evaluation. */
  readonly servers?: readonly OriginChoice[];
  /** The request target sent to the origin; absent if the path is unknown. */
  readonly target?: string;
  readonly headers?: { readonly remove: readonly string[]; readonly set: readonly HeaderOperation[] };
}

/** The backends of a configuration. */
export class Origin {
  readonly #backends: Backends;
  readonly #names: Names;

  constructor(backends: Backends, names: Names) {
    this.#backends = backends;
    this.#names = names;
  }

  /** Whether there is no usable backend. */
  isMissing(settings: EffectiveSettings): Tri {
    return settings.holds('defaultBackend', (reference) => backendOf(this.#backends, reference) === undefined);
  }

  /** The request to the origin. */
  answer({ request, address, settings, basicAuthRequired }: PassedRequest): OriginAnswer {
    const reference = settings.one('defaultBackend');
    const backend = reference === undefined ? undefined : backendOf(this.#backends, reference);
    const headers = headersOf(settings, basicAuthRequired);
    const answer: Mutable<OriginAnswer> = {};
    if (backend !== undefined) this.#addBackend(answer, backend, request, settings);
    if (address !== undefined) answer.target = targetOf(address);
    if (headers !== undefined) answer.headers = headers;
    return answer;
  }

  #addBackend(
    answer: Mutable<OriginAnswer>,
    { id, balancer, servers }: Backend,
    { host }: CanonicalRequest,
    settings: EffectiveSettings,
  ): void {
    answer.backend = balancer === undefined ? this.#names.originServer(id) : this.#names.loadBalancer(id);
    if (balancer !== undefined) answer.method = balancer.method;
    const port = settings.one('backendPortOverride');
    if (port === undefined) return;
    answer.servers = servers.map(({ server, weight }) => ({
      originServer: this.#names.originServer(server.id),
      protocol: server.protocol,
      address: server.address,
      port: port ?? server.port,
      host: server.requestHostname ?? balancer?.requestHostname ?? host,
      weight,
    }));
  }
}

const targetOf = ({ path, query }: Address): string => (query === '' ? path : `${path}?${query}`);

/** The edge consumes the credentials of basic auth. */
function headersOf(settings: EffectiveSettings, basicAuthRequired: Tri): OriginAnswer['headers'] {
  const set = settings.one('headersRequestSet');
  if (set === undefined || basicAuthRequired === 'unknown') return undefined;
  return { remove: basicAuthRequired === 'true' ? ['Authorization'] : [], set };
}
