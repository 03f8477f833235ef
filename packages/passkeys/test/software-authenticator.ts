import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AssertionResponse, CreationResponse, JsonObject, UserId } from '@zonewright/core';

/** What a ceremony can get wrong; everything else is as a browser and an authenticator do it. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** Of the authenticator data; by default user present, user verified. */
  readonly flags?: number;
  readonly counter?: number;
  /** What the extension `credProps` says about a new credential. */
  readonly rk?: boolean;
  readonly userHandle?: string | undefined;
  /** Changes the signature. */
  readonly isForged?: boolean;
  /** Certificates of an attestation. */
  readonly certificates?: readonly Uint8Array[];
}

const [present, verified, backupEligible, backedUp, attested] = [0x01, 0x04, 0x08, 0x10, 0x40];

/** Flags of an authenticator that has verified its user. */
const userVerified = present | verified;
/** Flags of one that has verified nobody. */
export const userPresent = present;
/** Flags of one that has copied the credential elsewhere. */
export const copiedElsewhere = present | verified | backupEligible | backedUp;

type Options = JsonObject & { readonly challenge?: unknown };

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** An authenticator in software with one ES256 credential, and the browser around it. */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  readonly #site: { readonly origin: string; readonly rpId: string };
  #counter = 0;
  #userHandle: string | undefined;

  constructor(site: { readonly origin: string; readonly rpId: string }) {
    this.#site = site;
  }

  get credentialId(): string {
    return base64url(this.#id);
  }

  /** Makes the credential. */
  create(options: Options, wrong: Misbehaviour = {}): CreationResponse {
    const user = options['user'] as { readonly id: string } | undefined;
    this.#userHandle = user?.id;
    const { publicKey } = this.#keys;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, coseKey(publicKey)]);
    const authData = Buffer.concat([this.#data((wrong.flags ?? userVerified) | attested, wrong), credential]);
    const clientData = this.#clientData('webauthn.create', options, wrong);
    const attestation = wrong.certificates && this.#attestation(authData, clientData, wrong.certificates);
    const object = new Map<string, unknown>([
      ['fmt', attestation === undefined ? 'none' : 'packed'],
      ['attStmt', attestation ?? new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#identity(),
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(isoCBOR.encode(object as unknown as Parameters<typeof isoCBOR.encode>[0])),
        transports: ['internal', 'hybrid'],
      },
      clientExtensionResults: { credProps: { rk: wrong.rk ?? true } },
    };
  }

  /** Signs a challenge. Counts, unless the counter stays at zero. */
  get(options: Options, wrong: Misbehaviour = {}): AssertionResponse {
    this.#counter = wrong.counter ?? this.#counter + 1;
    const authData = this.#data(wrong.flags ?? userVerified, wrong);
    const clientData = this.#clientData('webauthn.get', options, wrong);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    const forged = sign('sha256', authData, this.#keys.privateKey);
    const handle = 'userHandle' in wrong ? wrong.userHandle : this.#userHandle;
    return {
      ...this.#identity(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(wrong.isForged === true ? forged : signature),
        ...(handle === undefined ? {} : { userHandle: handle }),
      },
      clientExtensionResults: {},
    };
  }

  #identity() {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key' as const };
  }

  #data(flags: number, { rpId = this.#site.rpId, counter = this.#counter }: Misbehaviour): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), tail]);
  }

  #clientData(type: string, options: Options, wrong: Misbehaviour): Buffer {
    const { origin = this.#site.origin, crossOrigin = false, challenge = options.challenge } = wrong;
    return Buffer.from(JSON.stringify({ type: wrong.type ?? type, challenge, origin, crossOrigin }));
  }

  #attestation(authData: Buffer, clientData: Buffer, certificates: readonly Uint8Array[]) {
    const sig = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(sig)],
    ]);
    if (certificates.length > 0) statement.set('x5c', certificates);
    return statement;
  }
}

/** ES256 as a COSE key (RFC 9053 section 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const members = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  // The map has the shapes that CBOR knows.
  return Buffer.from(isoCBOR.encode(members as Parameters<typeof isoCBOR.encode>[0]));
}

/** What an authenticator knows a user by. */
export const handleOf = (user: UserId): string => Buffer.from(user.replaceAll('-', ''), 'hex').toString('base64url');
