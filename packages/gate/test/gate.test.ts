import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { gate } from '../src/gate.ts';

/** A task that the test ends, and that knows whether it has started. */
function controlled<T>(value: T) {
  const { promise, resolve, reject } = deferred<T>();
  const task = {
    begun: false,
    run: () => {
      task.begun = true;
      return promise;
    },
    end: () => resolve(value),
    fail: (cause: Error) => reject(cause),
  };
  return task;
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (cause: Error) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

const turnOfTheEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
const patient = { queueLimit: 10, waitSeconds: 60 };

describe('gate', () => {
  it('runs no more tasks concurrently than allowed', async () => {
    const places = gate({ ...patient, concurrency: 2 });
    const tasks = [controlled(1), controlled(2), controlled(3)];
    const results = tasks.map((task) => places.run(task.run));
    await turnOfTheEventLoop();
    expect(tasks.map(({ begun }) => begun)).to.deep.equal([true, true, false]);
    expect(places.stats()).to.deep.equal({ running: 2, waiting: 1 });
    tasks[1]?.end();
    await results[1];
    await turnOfTheEventLoop();
    expect(tasks.map(({ begun }) => begun)).to.deep.equal([true, true, true]);
    for (const task of tasks) task.end();
    expect(await Promise.all(results)).to.deep.equal([ok(1), ok(2), ok(3)]);
  });

  it('admits waiting tasks in order of arrival', async () => {
    const places = gate({ ...patient, concurrency: 1 });
    const order: number[] = [];
    const first = controlled(0);
    const all = [places.run(first.run), ...[1, 2, 3].map((turn) => places.run(async () => order.push(turn)))];
    first.end();
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 3]);
  });

  it('admits tasks of the slow lane after all of the fast one, with separate queues', async () => {
    const places = gate({ concurrency: 1, queueLimit: 1, waitSeconds: 60 });
    const order: string[] = [];
    const first = controlled(0);
    const running = places.run(first.run);
    const waiting = (['slow', 'fast'] as const).map((lane) => places.run(async () => order.push(lane), lane));
    expect(await places.run(controlled(0).run, 'slow')).to.deep.equal(err('queue full'));
    first.end();
    await Promise.all([running, ...waiting]);
    expect(order).to.deep.equal(['fast', 'slow']);
  });

  it('rejects a task immediately if the queue is full', async () => {
    const places = gate({ concurrency: 1, queueLimit: 1, waitSeconds: 60 });
    const [running, queued, refused] = [controlled('a'), controlled('b'), controlled('c')];
    const results = [places.run(running.run), places.run(queued.run)];
    expect(await places.run(refused.run)).to.deep.equal(err('queue full'));
    running.end();
    queued.end();
    expect(await Promise.all(results)).to.deep.equal([ok('a'), ok('b')]);
    expect(refused.begun).to.equal(false);
  });

  it('rejects a task that waited too long and never starts it afterwards', async () => {
    const places = gate({ concurrency: 1, queueLimit: 1, waitSeconds: 0.001 });
    const [running, late] = [controlled('a'), controlled('b')];
    const first = places.run(running.run);
    expect(await places.run(late.run)).to.deep.equal(err('waited too long'));
    running.end();
    await first;
    await turnOfTheEventLoop();
    expect(late.begun).to.equal(false);
  });

  it('frees the queue place of a task that waited too long', async () => {
    const places = gate({ concurrency: 1, queueLimit: 1, waitSeconds: 0.001 });
    const running = controlled('a');
    const first = places.run(running.run);
    expect(await places.run(controlled('b').run)).to.deep.equal(err('waited too long'));
    expect(await places.run(controlled('c').run)).to.deep.equal(err('waited too long'));
    running.end();
    expect(await first).to.deep.equal(ok('a'));
  });

  it('propagates the failure of a task and passes its place on', async () => {
    const places = gate({ ...patient, concurrency: 1 });
    const failing = controlled(0);
    const failed = places.run(failing.run).then(
      () => 'a result',
      (cause: unknown) => cause,
    );
    const next = places.run(async () => 'next');
    const cause = new Error('defect');
    failing.fail(cause);
    expect(await failed).to.equal(cause);
    expect(await next).to.deep.equal(ok('next'));
  });

  it('frees the place of a task that throws synchronously', async () => {
    const places = gate({ ...patient, concurrency: 1 });
    const cause = new Error('defect');
    const throwing = () => {
      throw cause;
    };
    expect(
      await places.run(throwing).then(
        () => 'a result',
        (thrown: unknown) => thrown,
      ),
    ).to.equal(cause);
    expect(await places.run(async () => 'next')).to.deep.equal(ok('next'));
  });
});
