import { expect } from 'chai';
import { Password, PasswordAttempt } from '../../../src/accounts/accounts/password.ts';
import { parse } from '../../../src/kernel/shared/parse.ts';

const codesOf = (value: unknown): readonly string[] =>
  parse(Password, value).match(
    () => [],
    ({ violations }) => violations.map(({ code }) => code),
  );

describe('Password', () => {
  const filled = (length: number, filler = 'a') => `Aa1${filler.repeat(length - 3)}`;
  const cases: readonly (readonly [what: string, value: unknown, ...codes: string[]])[] = [
    ['7 characters', filled(7), 'text.tooShort'],
    ['8 characters', filled(8)],
    ['255 characters', filled(255)],
    ['256 characters', filled(256), 'text.tooLong'],
    ['7 code points in 11 code units', filled(7, '😀'), 'text.tooShort'],
    ['8 code points in 13 code units', filled(8, '😀')],
    ['255 code points in 507 code units', filled(255, '😀')],
    ['256 code points', filled(256, '😀'), 'text.tooLong'],
    ['no uppercase letter', 'aaaaaaa1', 'password.upperCase'],
    ['no lowercase letter', 'AAAAAAA1', 'password.lowerCase'],
    ['no digit', 'Aaaaaaaa', 'password.digit'],
    ['letters and a digit beyond ASCII', 'Äöéèàùç٣'],
    ['an uppercase letter beyond ASCII as the only one', 'Žaaaaaa1'],
    ['a title-case letter, which is neither', 'ǅaaaaaa1', 'password.upperCase'],
    ['a Roman numeral, which is no digit', 'AaaaaaaⅧ', 'password.digit'],
    ['spaces at both ends', ' Aaaaa1 '],
    ['only digits', '12345678', 'password.upperCase', 'password.lowerCase'],
    ['nothing', '', 'text.tooShort', 'password.upperCase', 'password.lowerCase', 'password.digit'],
    ['a lone surrogate', 'Aaaaaaa1\ud800', 'text.encoding'],
    ['a NUL', 'Aaaaaaa1\u0000', 'text.encoding'],
    ['a control character that can be stored', 'Aaaaaaa1\u0007'],
    ['a number', 12345678, 'member.type'],
    ['no value', undefined, 'member.required'],
  ];
  for (const [what, value, ...codes] of cases) {
    it(`finds ${codes.join(', ') || 'nothing wrong'} in ${what}`, () => {
      expect(codesOf(value)).to.deep.equal(codes);
    });
  }

  it('keeps every character as typed', () => {
    const typed = ' Cafe\u0301 No1 ';
    expect(Password.parse(typed)).to.equal(typed);
  });
});

describe('PasswordAttempt', () => {
  it('need not meet the rules for new passwords', () => {
    for (const attempt of ['a', ' ', '12345678', 'x'.repeat(300)]) {
      expect(PasswordAttempt.parse(attempt)).to.equal(attempt);
    }
  });

  it('is not empty', () => {
    expect(parse(PasswordAttempt, '').isErr()).to.equal(true);
  });
});
