import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { fairGate } from '../src/fair-gate.ts';

const patient = { queueLimit: 10, waitSeconds: 60, ownWaitSeconds: 60 };
const turnOfTheEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Tasks of owners, which end one after another in the order in which they have started. */
function queue(limits: Parameters<typeof fairGate>[0]) {
  const places = fairGate(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string) =>
    places.run(
      name.slice(0, 1),
      () =>
        new Promise<string>((resolve) => {
          started.push(name);
          ends.push(() => resolve(name));
        }),
    );
  const endNext = async () => {
    await turnOfTheEventLoop();
    ends.shift()?.();
    await turnOfTheEventLoop();
  };
  return { places, started, add, endNext };
}

describe('fairGate', () => {
  it('lets owners take turns, whatever each has waiting', async () => {
    const { started, add, endNext, places } = queue({ ...patient, concurrency: 1 });
    const results = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(add);
    await turnOfTheEventLoop();
    expect(places.stats()).to.deep.equal({ running: 1, waiting: 5 });
    for (let each = 0; each < 6; each += 1) await endNext();
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(await Promise.all(results)).to.deep.equal(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ok(name)));
    expect(places.stats()).to.deep.equal({ running: 0, waiting: 0 });
  });

  it('keeps a place free from a single owner', async () => {
    const { started, add } = queue({ ...patient, concurrency: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name);
    await turnOfTheEventLoop();
    expect(started).to.deep.equal(['a1', 'a2']);
    void add('b1');
    await turnOfTheEventLoop();
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
  });

  it('runs one task of an owner at a time while others wait', async () => {
    const { started, add, endNext } = queue({ ...patient, concurrency: 2 });
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'c2']) void add(name);
    await endNext();
    expect(started).to.deep.equal(['a1', 'b1', 'c1']);
    await endNext();
    await endNext();
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2']);
  });

  it('rejects only the tasks of those whose queue is full', async () => {
    const { add } = queue({ ...patient, concurrency: 1, queueLimit: 2 });
    for (const name of ['a1', 'a2', 'a3']) void add(name);
    expect(await add('a4')).to.deep.equal(err('queue full'));
    const later = add('b1');
    expect(await Promise.race([later, turnOfTheEventLoop()])).to.equal(undefined);
  });

  it('rejects a task that waits too long for others, or behind its own', async () => {
    const { add, places } = queue({ ...patient, concurrency: 1, waitSeconds: 0.01, ownWaitSeconds: 0.02 });
    const first = add('a1');
    expect(await Promise.all([add('b1'), add('a2')])).to.deep.equal([err('waited too long'), err('waited too long')]);
    expect(places.stats()).to.deep.equal({ running: 1, waiting: 0 });
    void first;
  });

  it('frees the place of a task that fails', async () => {
    const places = fairGate({ ...patient, concurrency: 1 });
    const failed = places.run('a', () => Promise.reject(new Error('It failed.')));
    expect(await Promise.resolve(failed).catch(({ message }: Error) => message)).to.equal('It failed.');
    expect(await places.run('a', () => Promise.resolve('next'))).to.deep.equal(ok('next'));
  });
});
