import {
  ChallengeToken,
  deliverNextMail,
  Login,
  type Mail,
  MailedToken,
  Password,
  RefreshToken,
  useCases,
  VerificationCode,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { storedAccount, storedSecondFactor } from '../arrangements/index.ts';
import { noClient, unique } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { okOf } from '../results.ts';
import type { OpenStorage, Storage } from '../storage.ts';
import { expectSessionsAsModelled, type SessionAccounts } from './session-model.ts';

/**
 * Every storage must let the use cases behave like the session model in any order. The number of runs depends on the
 * speed of the storage.
 */
export function sessionSequencesContract(
  adapter: string,
  open: OpenStorage,
  { runs }: { readonly runs: number },
): void {
  describe(`Sessions in any order: ${adapter}`, () => {
    it('start, continue and end as in the model', async function () {
      this.timeout(60_000);
      const enter = async () => {
        const storage = await open();
        return { open: doorsOf(storage), close: () => storage.close() };
      };
      await expectSessionsAsModelled(enter, { runs, commands: 40 });
    });
  });
}

/** The use cases on this storage. */
const doorsOf =
  (storage: Storage): SessionAccounts['open'] =>
  async ({ secondFactor }) => {
    const { id, email } = await storedAccount(storage);
    if (secondFactor) await storedSecondFactor(storage, id);
    const dependencies = { unitOfWork: storage.unitOfWork, ...fakePorts };
    return {
      password: 'Secret123',
      logIn: (password) =>
        useCases(dependencies)
          .logIn(Login.parse({ email, password }), noClient)
          .match(
            (entered) =>
              entered.outcome === 'session' ? { tokens: entered.tokens } : { challenge: entered.challengeToken },
            () => undefined,
          ),
      answer: (challenge, code) =>
        useCases(dependencies)
          .completeTwoFactor(
            { challengeToken: ChallengeToken.parse(challenge), code: code === 'right' ? freshCode() : wrongCode },
            noClient,
          )
          .match(
            (tokens) => tokens,
            () => undefined,
          ),
      refresh: (token) =>
        useCases(dependencies)
          .refreshSession(RefreshToken.parse(token), noClient)
          .match(
            (tokens) => tokens,
            ({ type }) => (type === 'RefreshTokenReused' ? 'reused' : undefined),
          ),
      logOut: ({ accessToken, refreshToken }) =>
        okOf(
          useCases(dependencies).logOut(
            { accessToken, refreshToken: refreshToken === undefined ? undefined : RefreshToken.parse(refreshToken) },
            noClient,
          ),
        ),
      resetToken: async () => {
        await okOf(useCases(dependencies).requestMail('reset-password', email, noClient));
        return tokenOfLastMail(dependencies);
      },
      reset: (token, password) =>
        useCases(dependencies)
          .resetPassword(MailedToken.parse(token), Password.parse(password), noClient)
          .match(
            () => true,
            () => false,
          ),
      isAccepted: async (token) =>
        (await useCases(dependencies).authenticate({ kind: 'access token', token }, noClient)).isOk(),
      liveRefreshTokens: () => storage.liveRefreshTokens(id),
    };
  };

/** Each code is for a time step that has not been used. */
const freshCode = (): VerificationCode => VerificationCode.parse(String(100_000 + unique()));

/** Neither six digits nor a recovery code. */
const wrongCode = VerificationCode.parse('nonsense');

/** Delivers all queued mails, and returns the token of the last one. */
async function tokenOfLastMail({ unitOfWork }: Pick<Storage, 'unitOfWork'>): Promise<string> {
  const sent: Mail[] = [];
  const mailer = { send: (mail: Mail) => okAsync(void sent.push(mail)) };
  const deliver = deliverNextMail({ unitOfWork, mailer, ...fakePorts, cap: { mailsPerHour: 1000 } });
  while ((await okOf(deliver())) === 'done');
  const last = sent.findLast((mail) => mail.kind === 'reset-password');
  if (last === undefined) throw new Error('No reset mail was sent.');
  return last.token;
}
