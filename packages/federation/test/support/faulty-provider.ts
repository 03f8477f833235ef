import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { ProviderSettings } from '../../src/index.ts';

/** What a provider does wrong; by default nothing. */
export interface Mistakes {
  /** Claims of the ID token; undefined leaves one out. */
  claims?: Readonly<Record<string, unknown>>;
  /** Replaces the ID token. */
  idToken?: (made: { readonly claims: JWTPayload }) => Promise<string> | string;
  metadata?: Readonly<Record<string, unknown>>;
  userinfo?: Readonly<Record<string, unknown>>;
  /** Answers a path in another way; false: in the usual one. */
  answer?: (path: string, response: ServerResponse) => boolean;
  /** Accepts a code more than once. */
  acceptsReplays?: boolean;
}

/** A flow as the provider knows it. */
interface Grant {
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly redirectUri: string;
}

const algorithm = 'ES256';
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>> & { readonly kid: string };

/** A provider on loopback that makes the mistakes it is told to. */
export class FaultyProvider {
  mistakes: Mistakes = {};
  /** The paths requested so far. */
  readonly requests: string[] = [];
  readonly #grants = new Map<string, Grant>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #keys: KeyPair[] = [];

  static async open(): Promise<FaultyProvider> {
    const provider = new FaultyProvider();
    await provider.rotate();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    // A listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  settings(more: Partial<ProviderSettings> = {}): ProviderSettings {
    const client = { clientId: 'zonewright', clientSecret: 'a secret' };
    return { id: 'corp', name: 'Corp', kind: 'oidc', issuer: this.issuer, ...client, ...more };
  }

  /** Signs by a new key from now on; the old one is no longer published. */
  async rotate(): Promise<void> {
    this.#keys = [{ ...(await generateKeyPair(algorithm)), kid: randomUUID() }];
  }

  /** What a browser brings back from the address where the flow begins: the person has agreed at once. */
  grant(authorizationUrl: string): { readonly code: string; readonly state: string; readonly iss: string } {
    const query = new URL(authorizationUrl).searchParams;
    const code = randomUUID();
    this.#grants.set(code, {
      nonce: query.get('nonce') ?? undefined,
      challenge: query.get('code_challenge') ?? undefined,
      redirectUri: query.get('redirect_uri') ?? '',
    });
    return { code, state: query.get('state') ?? '', iss: this.issuer };
  }

  /** Signs claims by the current key. */
  sign(claims: JWTPayload, header: Readonly<Record<string, string>> = {}): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('The provider has no key.');
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: key.kid, ...header }).sign(key.privateKey);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.issuer).pathname;
    this.requests.push(path);
    if (this.mistakes.answer?.(path, response) === true) return;
    const body = await text(request);
    const answer = await this.#answerTo(path, new URLSearchParams(body));
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
  }

  async #answerTo(path: string, form: URLSearchParams): Promise<{ readonly status?: number; readonly json: unknown }> {
    switch (path) {
      case '/.well-known/openid-configuration':
      case '/tenant/.well-known/openid-configuration':
        return { json: this.#metadata() };
      case '/keys':
        return { json: { keys: await Promise.all(this.#keys.map(published)) } };
      case '/token':
        return this.#tokens(form);
      case '/userinfo':
        return { json: { sub: 'ada', ...this.mistakes.userinfo } };
      default:
        return { status: 404, json: {} };
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: [algorithm],
      ...this.mistakes.metadata,
    };
  }

  async #tokens(form: URLSearchParams) {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    if (this.mistakes.acceptsReplays !== true) this.#grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      return { status: 400, json: { error: 'invalid_grant' } };
    }
    const claims = this.#claimsFor(grant);
    const { idToken = ({ claims: made }) => this.sign(made) } = this.mistakes;
    const token = await idToken({ claims });
    return { json: { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: token } };
  }

  #claimsFor({ nonce }: Grant): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      sub: 'ada',
      aud: 'zonewright',
      iat: now,
      exp: now + 60,
      nonce,
      email: 'ada@example.com',
      email_verified: true,
      ...this.mistakes.claims,
    };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }
}

const published = async ({ publicKey, kid }: KeyPair) => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: algorithm,
  use: 'sig',
});
