import { createHmac } from 'node:crypto';
import { SessionId, UserId, unauthenticated } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { jwtAccessTokens } from '../src/jwt-access-tokens.ts';
import type { KeyRing } from '../src/key-ring.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const ring: KeyRing = {
  current: 'k2',
  keys: new Map([
    ['k1', key(1)],
    ['k2', key(2)],
  ]),
};
const issuer = 'https://api.example.test';
const audience = 'zonewright';
const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => () => new Date(start + seconds * 1000);
const tokensAt = (seconds: number, keys = ring) => jwtAccessTokens({ keys, issuer, audience, now: at(seconds) });
const tokens = tokensAt(0);

const userId = UserId.parse('01958f2e-0000-7000-8000-000000000001');
const sessionId = SessionId.parse('01958f2e-0000-7000-8000-000000000002');
const claims = { userId, sessionId };
const refused = err(unauthenticated());

const header = { alg: 'HS256', typ: 'at+jwt', kid: 'k2' };
const payload = {
  sub: userId,
  sid: sessionId,
  iss: issuer,
  aud: audience,
  jti: 'x',
  amr: ['pwd'],
  iat: start / 1000,
  exp: start / 1000 + 900,
};
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decoded = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as unknown;

/** A token signed by the test, valid unless changed. */
function forged(changes: { header?: unknown; payload?: unknown; key?: Uint8Array; hash?: string } = {}): string {
  const input = `${encoded(changes.header ?? header)}.${encoded(changes.payload ?? payload)}`;
  return `${input}.${createHmac(changes.hash ?? 'sha256', changes.key ?? key(2))
    .update(input)
    .digest('base64url')}`;
}

describe('jwtAccessTokens.issue', () => {
  it('contains exactly the header and the claims of the access token profile', () => {
    const [first, second] = tokens.issue({ ...claims, methods: ['pwd', 'otp'] }).split('.');
    expect(decoded(first)).to.deep.equal(header);
    const { jti, ...rest } = decoded(second) as { jti: string };
    expect(rest).to.deep.equal({
      iss: issuer,
      aud: audience,
      sub: userId,
      sid: sessionId,
      amr: ['pwd', 'otp'],
      iat: start / 1000,
      exp: start / 1000 + 900,
    });
    expect(jti).to.match(/^[0-9a-f-]{36}$/);
  });

  it('gives every token its own id', () => {
    expect(tokens.issue({ ...claims, methods: ['pwd'] })).not.to.equal(tokens.issue({ ...claims, methods: ['pwd'] }));
  });

  it('does not start without an issuer, an audience or a usable current key', () => {
    const settings = { keys: ring, issuer, audience };
    expect(() => jwtAccessTokens({ ...settings, issuer: '' })).to.throw('issuer');
    expect(() => jwtAccessTokens({ ...settings, audience: '' })).to.throw('audience');
    expect(() => jwtAccessTokens({ ...settings, keys: { ...ring, current: 'k9' } })).to.throw('k9');
    expect(() =>
      jwtAccessTokens({ ...settings, keys: { current: 'k', keys: new Map([['k', new Uint8Array(31)]]) } }),
    ).to.throw('shorter');
    expect(() => jwtAccessTokens({ ...settings, keys: { current: 'a.b', keys: new Map([['a.b', key(1)]]) } })).to.throw(
      'key id',
    );
  });
});

describe('jwtAccessTokens.verify', () => {
  it('reads back what was issued', () => {
    expect(tokens.verify(tokens.issue({ ...claims, methods: ['pwd'] }))).to.deep.equal(ok(claims));
    expect(tokens.verify(forged())).to.deep.equal(ok(claims));
  });

  it('accepts tokens of a key that no longer signs, until the key leaves the ring', () => {
    const old = tokensAt(0, { ...ring, current: 'k1' }).issue({ ...claims, methods: ['pwd'] });
    expect(tokens.verify(old)).to.deep.equal(ok(claims));
    const withoutOld = tokensAt(0, { current: 'k2', keys: new Map([['k2', key(2)]]) });
    expect(withoutOld.verify(old)).to.deep.equal(refused);
  });

  it('accepts a token for 900 seconds plus 5 for clock skew', () => {
    const token = tokens.issue({ ...claims, methods: ['pwd'] });
    expect(tokensAt(904).verify(token)).to.deep.equal(ok(claims));
    expect(tokensAt(905).verify(token)).to.deep.equal(refused);
  });

  it('refuses an old token whatever its expiry claim', () => {
    const late = { ...payload, exp: start / 1000 + 1_000_000 };
    expect(tokensAt(1000).verify(forged({ payload: late }))).to.deep.equal(refused);
  });

  it('ignores keys in the header', () => {
    const jwk = { kty: 'oct', k: encoded('x'.repeat(32)) };
    const stranger = new TextEncoder().encode('x'.repeat(32));
    const extras = { jwk, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/chain' };
    expect(tokens.verify(forged({ header: { ...header, ...extras }, key: stranger }))).to.deep.equal(refused);
    expect(tokens.verify(forged({ header: { ...header, ...extras, kid: undefined }, key: stranger }))).to.deep.equal(
      refused,
    );
  });

  const issued = tokens.issue({ ...claims, methods: ['pwd'] });
  const unsigned = `${encoded({ ...header, alg: 'none' })}.${encoded(payload)}.`;
  const refusals: Record<string, string> = {
    'algorithm none without a signature': unsigned,
    'algorithm none with a signature': forged({ header: { ...header, alg: 'none' } }),
    'algorithm None in another spelling': forged({ header: { ...header, alg: 'None' } }),
    'another HMAC algorithm': forged({ header: { ...header, alg: 'HS512' }, hash: 'sha512' }),
    'an asymmetric algorithm': forged({ header: { ...header, alg: 'RS256' } }),
    'a key that is not in the ring': forged({ key: key(3) }),
    'a key of the ring under the id of another': forged({ key: key(1) }),
    'an unknown key id': forged({ header: { ...header, kid: 'k3' } }),
    'a key id that is a property of every object': forged({ header: { ...header, kid: '__proto__' } }),
    'a key id that is no text': forged({ header: { ...header, kid: ['k2'] } }),
    'no key id': forged({ header: { alg: 'HS256', typ: 'at+jwt' } }),
    'the type of another kind of token': forged({ header: { ...header, typ: 'JWT' } }),
    'no type': forged({ header: { alg: 'HS256', kid: 'k2' } }),
    'extensions that must be understood': forged({ header: { ...header, crit: ['b64'], b64: false } }),
    'another issuer': forged({ payload: { ...payload, iss: 'https://other.example.test' } }),
    'no issuer': forged({ payload: { ...payload, iss: undefined } }),
    'another audience': forged({ payload: { ...payload, aud: 'other' } }),
    'no audience': forged({ payload: { ...payload, aud: undefined } }),
    'no time of issue': forged({ payload: { ...payload, iat: undefined } }),
    'an expiry that is no number': forged({ payload: { ...payload, exp: 'never' } }),
    'a beginning that is in the future': forged({ payload: { ...payload, nbf: start / 1000 + 60 } }),
    'a subject that is no user id': forged({ payload: { ...payload, sub: 'admin' } }),
    'no session': forged({ payload: { ...payload, sid: undefined } }),
    'a session that is no text': forged({ payload: { ...payload, sid: { id: sessionId } } }),
    'a payload that is a text': forged({ payload: '"text"' }),
    'a payload that is null': forged({ payload: 'null' }),
    'a payload that is not JSON': forged({ payload: '{' }),
    'a payload that is not JSON in an ordinary JWT': forged({ header: { ...header, typ: 'JWT' }, payload: '{' }),
    'a header that is not JSON': forged({ header: '{' }),
    'a header that is null': forged({ header: 'null' }),
    'a cut signature': issued.slice(0, -4),
    'no signature': issued.slice(0, issued.lastIndexOf('.') + 1),
    'a fourth part': `${issued}.x`,
    'an empty text': '',
    'dots only': '..',
    'something else altogether': 'zw_0123456789',
    'a text of a million characters': 'a.'.repeat(500_000),
  };
  for (const [name, token] of Object.entries(refusals)) {
    it(`does not accept ${name}`, () => {
      expect(tokens.verify(token)).to.deep.equal(refused);
    });
  }
});

describe('jwtAccessTokens.verifyIgnoringExpiry', () => {
  const issued = tokens.issue({ ...claims, methods: ['pwd'] });

  it('reads a token that expired a year ago', () => {
    expect(tokensAt(365 * 24 * 3600).verifyIgnoringExpiry(issued)).to.deep.equal(ok(claims));
  });

  const refusals: Record<string, string> = {
    'a stranger signed': forged({ key: key(3) }),
    'came without signature': `${encoded({ ...header, alg: 'none' })}.${encoded(payload)}.`,
    'was meant for others': forged({ payload: { ...payload, aud: 'other' } }),
    'has another type': forged({ header: { ...header, typ: 'JWT' } }),
    'is garbage': 'garbage',
  };
  for (const [name, token] of Object.entries(refusals)) {
    it(`refuses a token that ${name}`, () => {
      expect(tokensAt(10_000).verifyIgnoringExpiry(token)).to.deep.equal(refused);
    });
  }
});

describe('a token that was verified before', () => {
  it('is accepted until it expires, and no longer', () => {
    let now = 0;
    const verifier = jwtAccessTokens({ keys: ring, issuer, audience, now: () => at(now)() });
    const token = forged();
    const taken = [0, 899, 904, 905, 100_000].map((seconds) => {
      now = seconds;
      return verifier.verify(token).isOk();
    });
    expect(taken).to.deep.equal([true, true, true, false, false]);
  });
});
