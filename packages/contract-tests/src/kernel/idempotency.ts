import {
  Email,
  type IdempotencyKeys,
  type IdempotentAnswer,
  idempotencyKeyReused,
  type Repositories,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, ok, okAsync, ResultAsync } from 'neverthrow';
import { aMail, anAccount } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { gate, waits } from '../gate.ts';
import { errorOf, okOf, readView, rejectionOf, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Storage and idempotency keys that commit together. */
export interface KeyedStorage extends Storage {
  readonly idempotencyKeys: IdempotencyKeys;
}

/** Opens empty storage that no other test uses. */
export type OpenKeyedStorage = () => Promise<KeyedStorage>;

/** Every adapter of `IdempotencyKeys` must pass this unchanged. */
export const idempotencyContract = contract('IdempotencyKeys contract', (storage: () => KeyedStorage) => {
  describe('once', () => answering(storage));
  describe('given', () => lookingUp(storage));
  describe('concurrent requests', () => repetitions(storage));
  describe('nested units of work', () => unitsInside(storage));
});

const request = { scope: 'a session', key: 'a key', fingerprint: 'a digest' };
const day = 24 * 60 * 60;
const write = ({ outbox }: Repositories) => outbox.add(aMail());
const writing = ({ unitOfWork }: Storage, answer: string) => unitOfWork.run(write).map(() => answer);
const first = <T>(answer: T): IdempotentAnswer<T> => ({ answer, isReplay: false });
const replay = <T>(answer: T): IdempotentAnswer<T> => ({ answer, isReplay: true });

function answering(storage: () => KeyedStorage): void {
  const once = (answer: string, asked = request) =>
    storage().idempotencyKeys.once(asked, () => writing(storage(), answer));

  it('runs the work the first time, and returns the same answer afterwards', async () => {
    const answer = { status: 201, headers: { location: '/ü' }, body: 'one' };
    const work = () => writing(storage(), '').map(() => answer);
    expect(await storage().idempotencyKeys.once(request, work)).to.deep.equal(ok(first(answer)));
    expect(await once('another answer')).to.deep.equal(ok(replay(answer)));
    expect(await storage().mailContents()).to.equal(1);
  });

  for (const [title, other] of [
    ['another key', { ...request, key: 'A key' }],
    ['the same key in another scope', { ...request, scope: 'another session' }],
  ] as const) {
    it(`runs the work under ${title}`, async () => {
      await once('one');
      expect(await once('two', other)).to.deep.equal(ok(first('two')));
      expect(await storage().mailContents()).to.equal(2);
    });
  }

  it('refuses another request under the same key, and does nothing', async () => {
    await once('one');
    expect(await errorOf(once('two', { ...request, fingerprint: 'another' }))).to.deep.equal(idempotencyKeyReused());
    expect(await storage().mailContents()).to.equal(1);
  });

  it('keeps nothing of work that ends in Err, and runs it the next time', async () => {
    const refused = storage().idempotencyKeys.once(request, () =>
      writing(storage(), 'one').andThen(() => errAsync('refused')),
    );
    expect(await errorOf(refused)).to.equal('refused');
    expect(await storage().mailContents()).to.equal(0);
    expect(await okOf(once('two'))).to.deep.equal(first('two'));
  });

  it('keeps nothing of work that rejects or throws', async () => {
    const defect = new TypeError('a defect');
    const rejecting = () =>
      writing(storage(), 'one').andThen(() => ResultAsync.fromSafePromise(Promise.reject<string>(defect)));
    const throwing = () => {
      throw defect;
    };
    for (const work of [rejecting, throwing]) {
      expect(await rejectionOf(storage().idempotencyKeys.once(request, work))).to.equal(defect);
      expect(await storage().mailContents()).to.equal(0);
    }
    expect(await okOf(once('two'))).to.deep.equal(first('two'));
  });

  it('remembers responses for 24 hours and no longer', async () => {
    await once('one');
    await storage().passTime(day - 60);
    expect(await okOf(once('two'))).to.deep.equal(replay('one'));
    await storage().passTime(61);
    const other = { ...request, fingerprint: 'another' };
    expect(await once('three', other)).to.deep.equal(ok(first('three')));
    expect(await once('four', other)).to.deep.equal(ok(replay('three')));
  });
}

function lookingUp(storage: () => KeyedStorage): void {
  it('finds the answer to the same request for 24 hours, and claims nothing', async () => {
    expect(await okOf(storage().idempotencyKeys.given(request))).to.equal(undefined);
    await storage().idempotencyKeys.once(request, () => okAsync('one'));
    expect(await okOf(storage().idempotencyKeys.given(request))).to.deep.equal(replay('one'));
    const other = storage().idempotencyKeys.given({ ...request, fingerprint: 'another' });
    expect(await errorOf(other)).to.deep.equal(idempotencyKeyReused());
    await storage().passTime(day + 1);
    expect(await okOf(storage().idempotencyKeys.given(request))).to.equal(undefined);
  });
}

function repetitions(storage: () => KeyedStorage): void {
  /** A first request that is paused in the middle of its work, and three retries of it. */
  async function started<E>(rest: () => ResultAsync<string, E>) {
    const [begun, goOn] = [gate(), gate()];
    const leading = storage().idempotencyKeys.once(request, () => {
      begun.open();
      return ResultAsync.fromSafePromise(goOn.passed).andThen(rest);
    });
    await begun.passed;
    const others = [1, 2, 3].map(() => storage().idempotencyKeys.once(request, () => writing(storage(), 'another')));
    expect(await waits(storage(), Promise.all(others))).to.equal(true);
    goOn.open();
    return { leading, others };
  }

  it('wait for the first one, and get its answer', async () => {
    const { leading, others } = await started(() => writing(storage(), 'the first'));
    expect(await okOf(leading)).to.deep.equal(first('the first'));
    expect(await Promise.all(others)).to.deep.equal([1, 2, 3].map(() => ok(replay('the first'))));
    expect(await storage().mailContents()).to.equal(1);
  });

  it('let one of those waiting run the work if the first one fails', async () => {
    const { leading, others } = await started(() => errAsync('refused'));
    expect(await errorOf(leading)).to.equal('refused');
    const answers = await Promise.all(others.map((each) => okOf(each)));
    expect(answers.filter(({ isReplay }) => isReplay)).to.have.lengthOf(2);
    expect(await storage().mailContents()).to.equal(1);
  });
}

function unitsInside(storage: () => KeyedStorage): void {
  const added = (account: ReturnType<typeof anAccount>) =>
    storage().unitOfWork.run(({ accounts }) => accounts.add(account));
  const exists =
    ({ id }: { readonly id: ReturnType<typeof anAccount>['id'] }) =>
    ({ accounts }: Repositories) =>
      accounts
        .facts(id)
        .map(() => true)
        .orElse(() => ok(false));

  it('see the writes of earlier units, even in views, while nobody outside does', async () => {
    const [written, seenOutside] = [gate(), gate()];
    const account = anAccount();
    const { unitOfWork } = storage();
    const answered = storage().idempotencyKeys.once(request, () =>
      added(account)
        .andThen(() => unitOfWork.view(exists(account)))
        .andThen((viewed) => unitOfWork.run(exists(account)).map((read) => [viewed, read]))
        .andThen((found) => {
          written.open();
          return ResultAsync.fromSafePromise(seenOutside.passed).map(() => found);
        }),
    );
    await written.passed;
    expect(await readView(storage(), exists(account))).to.equal(false);
    seenOutside.open();
    expect(await okOf(answered)).to.deep.equal(first([true, true]));
    expect(await readView(storage(), exists(account))).to.equal(true);
  });

  it('are rolled back together if the work ends in Err, even those that ended in Ok', async () => {
    const account = anAccount();
    const work = () =>
      added(account)
        .andThen(() => writing(storage(), ''))
        .andThen(() => errAsync('refused'));
    expect(await errorOf(storage().idempotencyKeys.once(request, work))).to.equal('refused');
    expect(await runUnit(storage(), exists(account))).to.equal(false);
    expect(await storage().mailContents()).to.equal(0);
  });

  it('are rolled back separately if they end in Err and the work continues', async () => {
    const account = anAccount({ email: Email.parse('goes-on@example.org') });
    const { unitOfWork } = storage();
    const refused = () => unitOfWork.run((repositories) => write(repositories).andThen(() => errAsync('refused')));
    const work = () =>
      refused()
        .orElse(() => added(account))
        .map(() => 'done anyway');
    expect(await okOf(storage().idempotencyKeys.once(request, work))).to.deep.equal(first('done anyway'));
    expect(await runUnit(storage(), exists(account))).to.equal(true);
    expect(await storage().mailContents()).to.equal(0);
  });
}
