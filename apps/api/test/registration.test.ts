import { expect } from 'chai';
import { aRegisteredUser, aRegistration } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Registration', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const isVerified = (id: string): boolean =>
    service.inTables(({ users }) => [...users.values()].some((user) => user.id === id && user.emailVerified));

  describe('POST /api/auth/register', () => {
    const register = (body: unknown) => anonymous.post('/api/auth/register', body);

    it('answers 201 with a message and the id, and sends a link that verifies the address', async () => {
      const registration = aRegistration();
      const reply = await register(registration);
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const { id, message, ...rest } = reply.json() as { id: string; message: string };
      expect(rest).to.deep.equal({});
      expect(message).to.be.a('string').that.is.not.empty;
      expect(id).to.match(uuid);
      const mail = await service.mails.nextMailTo(registration.email);
      expect(mail.from).to.deep.equal({ name: 'Zonewright', address: 'zones@example.com' });
      expect(mail.text).to.include(`${service.url}/verify-email#token=`);
      const verified = await anonymous.post('/api/auth/verify-email', { token: tokenIn(mail) });
      expect(verified.status).to.equal(200);
      expect(isVerified(id)).to.equal(true);
    });

    it('answers 409 to a registered address, in general words', async () => {
      const { email } = await aRegisteredUser(service);
      const reply = await register({ ...aRegistration(), email });
      expectProblem(reply, 409, 'registration-conflict');
      expect(reply.text).not.to.include(email);
      expect(reply.text).not.to.match(/exist|taken|already|in use/i);
    });

    it('answers 400 with all missing fields at once', async () => {
      expectProblem(await register({}), 400, 'validation-failed', [
        'email: member.required',
        'password: member.required',
        'firstName: member.required',
        'lastName: member.required',
      ]);
    });

    const refused: readonly (readonly [what: string, members: Record<string, unknown>, ...violations: string[]])[] = [
      ['an address without @', { email: 'ada.example.com' }, 'email: email.syntax'],
      ['an address without a dot in its domain', { email: 'ada@localhost' }, 'email: email.syntax'],
      ['an address with a name', { email: 'Ada <ada@example.com>' }, 'email: email.syntax'],
      ['two addresses', { email: 'ada@example.com,eve@example.com' }, 'email: email.syntax'],
      ['an address with a line break', { email: 'ada@example.com\r\nBcc: eve@example.com' }, 'email: email.syntax'],
      ['an address outside ASCII', { email: 'ada@exämple.com' }, 'email: email.syntax'],
      ['a list in place of an address', { email: ['ada@example.com'] }, 'email: member.type'],
      ['an object in place of an address', { email: { $ne: null } }, 'email: member.type'],
      ['null in place of an address', { email: null }, 'email: member.type'],
      ['a password of 7 characters', { password: 'Abcdef7' }, 'password: text.tooShort'],
      ['a password of 256 characters', { password: `Aa1${'x'.repeat(253)}` }, 'password: text.tooLong'],
      ['a password without an uppercase letter', { password: 'correct-horse-7' }, 'password: password.upperCase'],
      ['a password without a lowercase letter', { password: 'CORRECT-HORSE-7' }, 'password: password.lowerCase'],
      ['a password without a digit', { password: 'Correct-Horse' }, 'password: password.digit'],
      ['a password with U+0000', { password: 'Correct-Horse-7\0' }, 'password: text.encoding'],
      ['an empty first name', { firstName: '' }, 'firstName: text.tooShort'],
      ['a first name of blanks', { firstName: '  ' }, 'firstName: text.tooShort'],
      ['a first name of 101 characters', { firstName: 'a'.repeat(101) }, 'firstName: text.tooLong'],
      ['a last name of 101 characters', { lastName: 'a'.repeat(101) }, 'lastName: text.tooLong'],
      ['a name with a line break', { lastName: 'Love\nlace' }, 'lastName: text.control'],
      ['a name with U+0000', { firstName: 'A\0da' }, 'firstName: text.control'],
      ['a name with a lone surrogate', { firstName: 'A\ud800da' }, 'firstName: text.encoding'],
      ['a number in place of a name', { firstName: 7 }, 'firstName: member.type'],
    ];
    for (const [what, members, ...violations] of refused) {
      it(`answers 400 to ${what}`, async () => {
        expectProblem(await register({ ...aRegistration(), ...members }), 400, 'validation-failed', violations);
      });
    }

    it('ignores unknown members', async () => {
      const injected = {
        id: '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e',
        active: true,
        emailVerified: true,
        roles: ['ADMIN'],
      };
      const reply = await register({ ...aRegistration(), ...injected });
      expect(reply.status).to.equal(201);
      const { id } = reply.json() as { id: string };
      expect(id).not.to.equal(injected.id);
      expect(isVerified(id)).to.equal(false);
    });
  });

  describe('POST /api/auth/verify-email', () => {
    const verify = (body: unknown) => anonymous.post('/api/auth/verify-email', body);
    interface Unverified {
      readonly id: string;
      readonly email: string;
      readonly token: string;
    }
    let unverified: Unverified[] = [];

    // Concurrently, because mails go out only twice a second.
    before(async () => {
      unverified = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { id, email } = await aRegisteredUser(service);
          return { id, email, token: tokenIn(await service.mails.nextMailTo(email)) };
        }),
      );
    });
    const aToken = (): Unverified => unverified.pop() ?? expect.fail('all tokens are used');

    it('answers 200 with a message, without signing in', async () => {
      const { id, token } = aToken();
      const reply = await verify({ token });
      expect(reply.status).to.equal(200);
      expect(Object.keys(reply.json() as object)).to.deep.equal(['message']);
      expect(reply.cookies).to.deep.equal([]);
      expect(isVerified(id)).to.equal(true);
    });

    it('answers 400 to an unknown token', async () => {
      expectProblem(await verify({ token: 'A'.repeat(43) }), 400, 'invalid-token');
    });

    it('answers 400 to a missing token, a token of another type, and malformed JSON', async () => {
      expectProblem(await verify({}), 400, 'validation-failed', ['token: member.required']);
      expectProblem(await verify({ token: ['A'] }), 400, 'validation-failed', ['token: member.type']);
      expectProblem(await verify({ token: '' }), 400, 'validation-failed', ['token: text.tooShort']);
      expectProblem(await verify({ token: 'a'.repeat(257) }), 400, 'validation-failed', ['token: text.tooLong']);
      const headers = { 'content-type': 'application/json' };
      const malformed = await anonymous.send('POST', '/api/auth/verify-email', { headers, body: '{"token"' });
      expectProblem(malformed, 400, 'malformed-body');
    });

    it('changes nothing on GET', async () => {
      const { id, token } = aToken();
      expectProblem(await anonymous.get(`/api/auth/verify-email?token=${token}`), 405, 'method-not-allowed');
      expect(isVerified(id)).to.equal(false);
    });
  });
});
