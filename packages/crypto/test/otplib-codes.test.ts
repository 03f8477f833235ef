import { Email, type TotpSecret } from '@zonewright/core';
import { expect } from 'chai';
import { generateSync } from 'otplib';
import { otplibCodes } from '../src/otplib-codes.ts';

/** The 20 bytes `12345678901234567890` of RFC 6238, appendix B. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' as TotpSecret;
const issuer = 'Zonewright';
const codesAt = (seconds: number) => otplibCodes({ issuer, now: () => new Date(seconds * 1000) });

/** RFC 6238, appendix B, SHA-1: the last six of the eight digits. */
const vectors = [
  { seconds: 59, code: '287082' },
  { seconds: 1_111_111_109, code: '081804' },
  { seconds: 1_111_111_111, code: '050471' },
  { seconds: 1_234_567_890, code: '005924' },
  { seconds: 2_000_000_000, code: '279037' },
  { seconds: 20_000_000_000, code: '353130' },
] as const;

describe('otplibCodes.stepOf', () => {
  for (const { seconds, code } of vectors) {
    it(`recognizes ${code} as the code of second ${seconds}`, () => {
      expect(codesAt(seconds).stepOf(rfcSecret, code)).to.equal(Math.floor(seconds / 30));
    });
  }

  describe('accepts a code one step early and one step late', () => {
    const { seconds, code } = { seconds: 1_234_567_890, code: '005924' };
    const step = seconds / 30;
    for (const [offset, found] of [
      [-30.001, undefined],
      [-30, step],
      [-0.001, step],
      [0, step],
      [29.999, step],
      [30, step],
      [59.999, step],
      [60, undefined],
    ] as const) {
      it(`${found === undefined ? 'refuses' : 'accepts'} it ${offset} seconds from the beginning of its step`, () => {
        expect(codesAt(seconds + offset).stepOf(rfcSecret, code)).to.equal(found);
      });
    }
  });

  for (const code of [
    '',
    '5924',
    '05924',
    '0005924',
    '94005924',
    '005925',
    ' 005924',
    '005 924',
    '００５９２４',
    'É5924',
  ]) {
    it(`refuses "${code}" where 005924 is right`, () => {
      expect(codesAt(1_234_567_890).stepOf(rfcSecret, code)).to.equal(undefined);
    });
  }

  it('refuses the code of another secret', () => {
    const codes = codesAt(1_234_567_890);
    expect(codes.stepOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJR' as TotpSecret, '005924')).to.equal(undefined);
  });

  it('has the same result twice: it does not use up the step', () => {
    const codes = codesAt(1_234_567_890);
    expect(codes.stepOf(rfcSecret, '005924')).to.equal(codes.stepOf(rfcSecret, '005924'));
  });

  it('returns the later step if a code belongs to two, so that it cannot be used again', () => {
    // The first pair of steps under this secret that are two apart and have the same code.
    const [earlier, later, code] = [153_567, 153_569, '468457'];
    expect(codesAt((earlier - 1) * 30).stepOf(rfcSecret, code)).to.equal(earlier);
    expect(codesAt((earlier + 1) * 30).stepOf(rfcSecret, code)).to.equal(later);
  });

  it('uses the system clock by default', () => {
    const codes = otplibCodes({ issuer });
    const secret = codes.newSecret();
    const step = Math.floor(Date.now() / 30_000);
    expect(codes.stepOf(secret, generateSync({ secret, epoch: step * 30 }))).to.equal(step);
  });

  it('rejects an invalid stored secret without repeating it', () => {
    for (const secret of ['', 'GEZD', 'not base32!'.repeat(3)] as TotpSecret[]) {
      expect(() => codesAt(59).stepOf(secret, '287082'))
        .to.throw()
        .with.property('message')
        .that.does.not.contain('GEZD')
        .and.does.not.contain('base32!');
    }
  });
});

describe('otplibCodes.newSecret', () => {
  it('is 20 bytes in base32 without padding, different every time', () => {
    const codes = otplibCodes({ issuer });
    const secrets = Array.from({ length: 200 }, () => codes.newSecret());
    for (const secret of secrets) expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).to.equal(200);
  });
});

describe('otplibCodes.provisioningUri', () => {
  it('contains type, issuer, account, secret and every parameter', () => {
    expect(otplibCodes({ issuer }).provisioningUri(rfcSecret, Email.parse('ada@example.test'))).to.equal(
      `otpauth://totp/Zonewright:ada%40example.test?secret=${rfcSecret}&issuer=Zonewright&algorithm=SHA1&digits=6&period=30`,
    );
  });

  it('encodes characters that would end the label or a parameter', () => {
    const account = Email.parse('a+b/c?d#e&f%g=h@example.test');
    const uri = new URL(otplibCodes({ issuer: 'Ops & Sons/Ltd?' }).provisioningUri(rfcSecret, account));
    expect(uri.host + decodeURIComponent(uri.pathname)).to.equal(`totp/Ops & Sons/Ltd?:${account}`);
    expect(uri.hash).to.equal('');
    expect(Object.fromEntries(uri.searchParams)).to.deep.equal({
      secret: rfcSecret,
      issuer: 'Ops & Sons/Ltd?',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(uri.href).to.contain('Ops%20%26%20Sons').and.not.to.contain('+');
  });
});

describe('otplibCodes', () => {
  for (const wrong of ['', 'Zone:wright']) {
    it(`does not start with the issuer "${wrong}"`, () => {
      expect(() => otplibCodes({ issuer: wrong })).to.throw('issuer');
    });
  }
});
