import { expect } from 'chai';
import * as fc from 'fast-check';

/** The tokens from a sign-in or a refresh. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** All operations on the sessions of one account. `undefined` means refused. */
export interface SessionOperations {
  /** The password of the account before its first reset. */
  readonly password: string;
  logIn(password: string): Promise<{ readonly tokens: TokenPair } | { readonly challenge: string } | undefined>;
  /** Answers a challenge with an unused code, or with one that is never valid. */
  answer(challenge: string, code: 'right' | 'wrong'): Promise<TokenPair | undefined>;
  refresh(refreshToken: string): Promise<TokenPair | 'reused' | undefined>;
  logOut(credential: Partial<TokenPair>): Promise<void>;
  /** Requests a password reset mail; resolves to its token. */
  resetToken(): Promise<string>;
  /** Resolves to whether the token was accepted. */
  reset(token: string, password: string): Promise<boolean>;
  isAccepted(accessToken: string): Promise<boolean>;
  /** The number of refresh tokens that could be exchanged now. */
  liveRefreshTokens(): Promise<number>;
}

/** Provides accounts. */
export interface SessionAccounts {
  /** Opens an account without sessions. */
  open(account: { readonly secondFactor: boolean }): Promise<SessionOperations>;
  /** Called when no account is needed any longer. */
  close(): Promise<void>;
}

interface ModelSession {
  lives: boolean;
  refreshToken: string;
  readonly usedTokens: string[];
  readonly accessTokens: string[];
}

interface ModelChallenge {
  readonly token: string;
  /** Also 0 once the challenge is answered or void. */
  attemptsLeft: number;
}

/** The expected state of the account; tokens are those it was given. */
interface Model {
  readonly secondFactor: boolean;
  password: string;
  readonly sessions: ModelSession[];
  readonly challenges: ModelChallenge[];
  /** The mailed tokens; only the last one may still be valid. */
  readonly resetTokens: string[];
  usableResetToken: string | undefined;
}

type Command = fc.AsyncCommand<Model, SessionOperations>;

const attemptsOfChallenge = 5;

/**
 * Runs random sequences of sign-ins, challenge answers, refreshes, reuses, log-outs and password resets, and compares
 * every result and the visible state of the sessions with a small model (interface, "Authentication"). A failure
 * reports the seed and the shortest failing sequence found.
 */
export async function expectSessionsAsModelled(
  enter: () => Promise<SessionAccounts>,
  { runs, commands }: { readonly runs: number; readonly commands: number },
): Promise<void> {
  const sequences = fc.commands([...kinds], { maxCommands: commands, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), sequences, async (secondFactor, sequence) => {
      const place = await enter();
      try {
        await play(place, secondFactor, sequence);
      } finally {
        await place.close();
      }
    }),
    { numRuns: runs },
  );
}

async function play(place: SessionAccounts, secondFactor: boolean, sequence: Iterable<Command>): Promise<void> {
  const [doors, bystander] = [await place.open({ secondFactor }), await place.open({ secondFactor: false })];
  const elsewhere = await bystander.logIn(bystander.password);
  if (elsewhere === undefined || 'challenge' in elsewhere) return expect.fail('another user could not sign in');
  await fc.asyncModelRun(() => ({ model: modelOf(doors, secondFactor), real: doors }), sequence);
  expect(await bystander.isAccepted(elsewhere.tokens.accessToken), 'the session of another user').to.equal(true);
}

const modelOf = ({ password }: SessionOperations, secondFactor: boolean): Model => ({
  secondFactor,
  password,
  sessions: [],
  challenges: [],
  resetTokens: [],
  usableResetToken: undefined,
});

/** A command that compares everything with the model afterwards. */
const command = (
  name: string,
  isPossible: (model: Model) => boolean,
  act: (model: Model, doors: SessionOperations) => Promise<void>,
): Command => ({
  check: isPossible,
  run: async (model, doors) => {
    await act(model, doors);
    await expectAsModelled(model, doors);
  },
  toString: () => name,
});

async function expectAsModelled({ sessions }: Model, doors: SessionOperations): Promise<void> {
  const seen = await Promise.all(
    sessions.map(({ accessTokens }) => Promise.all(accessTokens.map((token) => doors.isAccepted(token)))),
  );
  expect(seen, 'access tokens of each session').to.deep.equal(
    sessions.map(({ accessTokens, lives }) => accessTokens.map(() => lives)),
  );
  expect(await doors.liveRefreshTokens(), 'live refresh tokens').to.equal(sessions.filter(({ lives }) => lives).length);
}

/** An existing one by age, 0 being the newest: commands are generated before it is known how many there will be. */
function pick<T>(from: readonly T[], age: number): T {
  const picked = from.at(-1 - (age % from.length));
  if (picked === undefined) throw new Error('There is nothing to pick from.');
  return picked;
}

/** Usually the newest, since older ones have mostly ended. */
const anyAge = fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat({ max: 9 }), weight: 1 });

function opened({ sessions }: Model, { accessToken, refreshToken }: TokenPair): void {
  sessions.push({ lives: true, refreshToken, usedTokens: [], accessTokens: [accessToken] });
}

/** Reuse and reset both end all sessions and challenges. */
function endAll({ sessions, challenges }: Model): void {
  for (const session of sessions) session.lives = false;
  for (const challenge of challenges) challenge.attemptsLeft = 0;
}

const logIn = command(
  'log in',
  () => true,
  async (model, doors) => {
    const result = await doors.logIn(model.password);
    if (result === undefined) return expect.fail('the right password was refused');
    expect('challenge' in result, 'a challenge instead of a session').to.equal(model.secondFactor);
    if ('tokens' in result) return opened(model, result.tokens);
    for (const challenge of model.challenges) challenge.attemptsLeft = 0;
    model.challenges.push({ token: result.challenge, attemptsLeft: attemptsOfChallenge });
  },
);

const logInWrongly = command(
  'log in with a wrong password',
  () => true,
  async (model, doors) => {
    expect(await doors.logIn(`${model.password}-not`)).to.equal(undefined);
  },
);

const answer = (age: number) =>
  command(
    `answer challenge ${age}`,
    ({ challenges }) => challenges.length > 0,
    async (model, doors) => {
      const challenge = pick(model.challenges, age);
      const tokens = await doors.answer(challenge.token, 'right');
      expect(tokens !== undefined, 'a session for the answer').to.equal(challenge.attemptsLeft > 0);
      challenge.attemptsLeft = 0;
      if (tokens !== undefined) opened(model, tokens);
    },
  );

const answerWrongly = (age: number, times: number) =>
  command(
    `answer challenge ${age} wrongly, ${times} times`,
    ({ challenges }) => challenges.length > 0,
    async (model, doors) => {
      const challenge = pick(model.challenges, age);
      for (let time = 0; time < times; time += 1) {
        expect(await doors.answer(challenge.token, 'wrong')).to.equal(undefined);
        challenge.attemptsLeft = Math.max(0, challenge.attemptsLeft - 1);
      }
    },
  );

const refresh = (age: number) =>
  command(
    `refresh session ${age}`,
    ({ sessions }) => sessions.length > 0,
    async ({ sessions }, doors) => {
      const session = pick(sessions, age);
      const tokens = await doors.refresh(session.refreshToken);
      expect(tokens === 'reused' ? tokens : tokens !== undefined, 'a new pair').to.equal(session.lives);
      if (tokens === undefined || tokens === 'reused') return;
      session.usedTokens.push(session.refreshToken);
      session.accessTokens.push(tokens.accessToken);
      session.refreshToken = tokens.refreshToken;
    },
  );

const reuse = (age: number, token: number) =>
  command(
    `reuse old refresh token ${token} of session ${age}`,
    ({ sessions }) => sessions.some(({ usedTokens }) => usedTokens.length > 0),
    async (model, doors) => {
      const session = pick(
        model.sessions.filter(({ usedTokens }) => usedTokens.length > 0),
        age,
      );
      expect(await doors.refresh(pick(session.usedTokens, token))).to.equal(session.lives ? 'reused' : undefined);
      if (session.lives) endAll(model);
    },
  );

const logOut = (age: number, by: keyof TokenPair) =>
  command(
    `log out of session ${age} by its ${by}`,
    ({ sessions }) => sessions.length > 0,
    async ({ sessions }, doors) => {
      const session = pick(sessions, age);
      const { refreshToken, accessTokens } = session;
      await doors.logOut(by === 'refreshToken' ? { refreshToken } : { accessToken: pick(accessTokens, age) });
      session.lives = false;
    },
  );

const forget = command(
  'ask for a reset mail',
  () => true,
  async (model, doors) => {
    const token = await doors.resetToken();
    model.resetTokens.push(token);
    model.usableResetToken = token;
  },
);

const reset = (age: number) =>
  command(
    `reset the password by mail ${age}`,
    ({ resetTokens }) => resetTokens.length > 0,
    async (model, doors) => {
      const token = pick(model.resetTokens, age);
      const password = `Another-Horse-${model.resetTokens.length}`;
      expect(await doors.reset(token, password), 'the reset').to.equal(token === model.usableResetToken);
      if (token !== model.usableResetToken) return;
      Object.assign(model, { password, usableResetToken: undefined });
      endAll(model);
    },
  );

/** Commands that keep sessions going are listed twice, because most others end them. */
const kinds: readonly fc.Arbitrary<Command>[] = [
  fc.constant(logIn),
  fc.constant(logIn),
  fc.constant(logInWrongly),
  anyAge.map(answer),
  anyAge.map(answer),
  fc.tuple(anyAge, fc.integer({ min: 1, max: attemptsOfChallenge })).map(([age, times]) => answerWrongly(age, times)),
  anyAge.map(refresh),
  anyAge.map(refresh),
  fc.tuple(anyAge, anyAge).map(([age, token]) => reuse(age, token)),
  fc
    .tuple(anyAge, fc.constantFrom('accessToken' as const, 'refreshToken' as const))
    .map(([age, by]) => logOut(age, by)),
  fc.constant(forget),
  anyAge.map(reset),
];
