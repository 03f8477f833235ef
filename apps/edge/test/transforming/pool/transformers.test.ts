import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import sharp from 'sharp';
import { transformerLimits } from '../../../src/transforming/pool/limits.ts';
import { type TransformerLimits, Transformers } from '../../../src/transforming/pool/transformers.ts';
import type { ImageJob } from '../../../src/transforming/transformation.ts';

const imageJob = (body: Buffer, pixels: number, format: ImageJob['target']['format'] = 'webp'): ImageJob => ({
  type: 'image',
  body,
  pixels,
  target: { format, quality: 50, minQuality: 0 },
});

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#08f' } });

/** Nobody leaves. */
const { signal: patient } = new AbortController();

/** Resolves once it is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('Processes that work on images and pages', () => {
  let small: ImageJob;
  /** Takes seconds. */
  let long: ImageJob;
  const open: Transformers[] = [];
  let shared: Transformers;
  before(async () => {
    small = imageJob(await blank(64, 64).png({ compressionLevel: 0 }).toBuffer(), 64 * 64);
    long = imageJob(await blank(5000, 4000).png().toBuffer(), 5000 * 4000, 'avif');
    shared = pool({ memory: 2000, queueLimit: 3 });
  });
  after(() => {
    for (const each of open) each.close();
  });

  /** Patient with tests that run beside others. */
  const pool = (limits: Partial<TransformerLimits> = {}, onFailure: () => void = () => undefined) => {
    const slow = { startWaitMilliseconds: 15_000, milliseconds: { image: 15_000, page: 15_000 }, waitSeconds: 15 };
    const made = new Transformers({ ...transformerLimits, ...slow, ...limits }, onFailure);
    open.push(made);
    return made;
  };
  const run = async (zone: string, job = small, signal = patient, transformers = shared) =>
    (await transformers.run(zone, job, signal)).type;

  it('decode nothing but JPEG and PNG, and no more pixels than the head says', async () => {
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>${' '.repeat(5000)}`);
    const tiff = await blank(64, 64).tiff().toBuffer();
    const heif = await blank(64, 64).heif({ compression: 'av1' }).toBuffer();
    for (const body of [svg, tiff, heif]) expect(await run('a', imageJob(body, 64 * 64))).to.equal('kept');
    expect(await run('a', { ...small, pixels: 64 * 63 })).to.equal('kept');
    expect(await run('a')).to.equal('made');
  });

  it('work for every zone while one has more than it may', async () => {
    // Both have started.
    expect(await Promise.all([run('b'), run('c')])).to.deep.equal(['made', 'made']);
    const client = new AbortController();
    const flood = Array.from({ length: 5 }, () => run('a', long, client.signal));
    // One is worked on, three wait.
    expect(await Promise.race(flood)).to.equal('refused');
    for (const zone of ['b', 'c', 'd']) expect(await run(zone)).to.equal('made');
    client.abort();
    expect(await Promise.all(flood)).to.deep.equal(['killed', 'refused', 'refused', 'refused', 'refused']);
  });

  it('finish what is nearly done when its client leaves', async () => {
    const leaving = new AbortController();
    const outcome = run('b', small, leaving.signal);
    setImmediate(() => leaving.abort());
    expect(await outcome).to.equal('made');
  });

  it('are killed after the deadline and replaced; the zone has a pause, others go on', async () => {
    const hasty = pool({ memory: 2000, milliseconds: { image: 1000, page: 1000 } });
    expect(await run('a', small, patient, hasty)).to.equal('made');
    const [pid] = hasty.pids;
    expect(await run('a', long, patient, hasty)).to.equal('killed');
    await until(() => !existsSync(`/proc/${pid}`));
    expect(await run('a', small, patient, hasty)).to.equal('refused');
    expect(await run('b', small, patient, hasty)).to.equal('made');
    expect(hasty.pids).to.have.length(1).and.to.not.include(pid);
  });

  it('have a limit on their memory and no secrets, and end when they have been idle', async () => {
    const large = imageJob(await blank(3000, 3000).png().toBuffer(), 9_000_000);
    expect(await run('b', large)).to.equal('made');
    const little = pool({ memory: 128, idleSeconds: 0.5 });
    expect(await run('b', large, patient, little)).to.equal('kept');
    const [pid] = little.pids;
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
    expect(read('oom_score_adj').trim()).to.equal('1000');
    const names = read('environ')
      .split('\0')
      .map((line) => line.split('=')[0]);
    const ofTheChannel = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];
    expect(names).to.have.members(['PATH', 'PWD', 'UV_THREADPOOL_SIZE', ...ofTheChannel, '']);
    await until(() => little.pids.length === 0);
  });

  it('that start slowly are there for those who come later', async () => {
    const slow = pool({ startWaitMilliseconds: 1, processes: 1 });
    expect(await run('a', small, patient, slow)).to.equal('refused');
    const [pid] = slow.pids;
    await until(async () => (await run('a', small, patient, slow)) === 'made');
    expect(slow.pids).to.deep.equal([pid]);
  });

  it('that cannot start are reported once, and everything passes as it came for a while', async () => {
    let failures = 0;
    const broken = pool({ memory: 1 }, () => (failures += 1));
    expect(await run('a', small, patient, broken)).to.equal('refused');
    expect(await run('b', small, patient, broken)).to.equal('refused');
    expect(failures).to.equal(1);
  });
});
