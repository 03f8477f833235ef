import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { limitedFetch } from './limited-fetch.ts';
import type { ProviderSettings } from './settings.ts';

type Keys = NonNullable<ReturnType<typeof getJwksCache>>['jwks'];

/** Something read from a provider, and when. */
interface Read<T> {
  readonly value: T;
  readonly at: number;
}

const hour = 60 * 60 * 1000;
const minute = 60 * 1000;

/** How a connection reaches its provider. */
export interface Reach {
  readonly timeoutMilliseconds: number;
  readonly clock: () => number;
}

/**
 * The metadata and keys of an OpenID provider: read when first needed, and kept for an hour. A token that names an
 * unknown key has the keys read again, at most once a minute, so that nobody can make us ask more often.
 */
export class OpenIdConnection {
  readonly #settings: ProviderSettings;
  readonly #reach: Reach;
  #metadata: Read<Promise<ServerMetadata>> | undefined;
  #keys: Read<Keys> | undefined;
  #keysResponse: Read<Promise<Response>> | undefined;

  constructor(settings: ProviderSettings, reach: Reach) {
    this.#settings = settings;
    this.#reach = reach;
  }

  /** Runs one exchange with the provider. */
  async exchange<T>(work: (configuration: Configuration) => Promise<T>): Promise<T> {
    const metadata = await this.#currentMetadata();
    const configuration = this.#configured(metadata);
    enableNonRepudiationChecks(configuration);
    const keys = this.#keys;
    if (keys !== undefined && this.#age(keys) < hour) {
      // The library reads keys again after five minutes, or after one if none fits: we say how old they are.
      const seconds = this.#age(keys) < minute ? 0 : 60;
      setJwksCache(configuration, { jwks: keys.value, uat: Math.floor(Date.now() / 1000) - seconds });
    }
    try {
      return await work(configuration);
    } finally {
      this.#keep(getJwksCache(configuration));
    }
  }

  #configured(metadata: ServerMetadata): Configuration {
    const { clientId, clientSecret } = this.#settings;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    const configuration = new Configuration(metadata, clientId, undefined, authentication(clientSecret));
    configuration[customFetch] = this.#fetchFor(metadata);
    configuration.timeout = this.#reach.timeoutMilliseconds / 1000;
    if (isInsecure(this.#settings)) allowInsecureRequests(configuration);
    return configuration;
  }

  /** Requests for the keys within a minute share one response. */
  #fetchFor({ jwks_uri: keysUrl }: ServerMetadata): CustomFetch {
    return async (url, options) => {
      if (url !== keysUrl) return limitedFetch(url, options);
      if (this.#keysResponse === undefined || this.#age(this.#keysResponse) >= minute) {
        this.#keysResponse = { value: limitedFetch(url, options), at: this.#reach.clock() };
      }
      const response = this.#keysResponse;
      return response.value.then(
        (shared) => shared.clone(),
        (failure: unknown) => {
          if (this.#keysResponse === response) this.#keysResponse = undefined;
          throw failure;
        },
      );
    };
  }

  #keep(cache: ReturnType<typeof getJwksCache>): void {
    const response = this.#keysResponse;
    if (cache === undefined || response === undefined) return;
    this.#keys = { value: cache.jwks, at: response.at };
  }

  #currentMetadata(): Promise<ServerMetadata> {
    if (this.#metadata === undefined || this.#age(this.#metadata) >= hour) {
      const value = this.#discovered();
      const read = { value, at: this.#reach.clock() };
      this.#metadata = read;
      // A provider that was away is asked again.
      value.catch(() => {
        if (this.#metadata === read) this.#metadata = undefined;
      });
    }
    return this.#metadata.value;
  }

  async #discovered(): Promise<ServerMetadata> {
    const { issuer } = this.#settings;
    const discovered = await this.#discover(issuer).catch((failure: unknown) => {
      // The metadata are at the same address with and without the final slash, so only they tell which one is right.
      if (failure instanceof ClientError && failure.code === wrongIssuer) return this.#discover(otherSpelling(issuer));
      throw failure;
    });
    const metadata = Object.entries(discovered.serverMetadata()).filter(([, value]) => typeof value !== 'function');
    // What is left out are the helpers of the library.
    return Object.fromEntries(metadata) as ServerMetadata;
  }

  #discover(issuer: string): Promise<Configuration> {
    return discovery(new URL(issuer), this.#settings.clientId, undefined, undefined, {
      [customFetch]: limitedFetch,
      timeout: this.#reach.timeoutMilliseconds / 1000,
      execute: isInsecure(this.#settings) ? [allowInsecureRequests] : [],
    });
  }

  #age({ at }: Read<unknown>): number {
    return this.#reach.clock() - at;
  }
}

/** The library's code for metadata that name another issuer. */
const wrongIssuer = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** With a final slash if the issuer has none, and without one if it has. */
const otherSpelling = (issuer: string): string => (issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`);

/** Only the configuration admits `http`, and only on loopback outside production. */
export const isInsecure = ({ issuer }: Pick<ProviderSettings, 'issuer'>): boolean => issuer.startsWith('http:');
