import { expect } from 'chai';
import { shell } from './support.ts';

describe('zonewright edges', function () {
  this.timeout(60_000);
  const { run, json } = shell();

  before(async () => {
    await json('migrate');
    await run('users create --email ada@example.com --first-name Ada --last-name Lovelace');
  });

  it('adds an edge and prints its token once', async () => {
    const { name, token } = (await json('edges add ams-1 --tags prod,stage --organizations 1 --stage canary')) as {
      name: string;
      token: string;
    };
    expect(name).to.equal('ams-1');
    expect(token).to.match(/^zwt_[\w-]{43}$/);
    const listed = await run('edges list --json');
    expect(listed.out).to.not.include(token);
    expect(JSON.parse(listed.out)).to.have.lengthOf(1);
    expect(JSON.parse(listed.out)[0]).to.deep.include({
      name: 'ams-1',
      stage: 'canary',
      tags: ['prod', 'stage'],
      organizations: [1],
      draining: false,
    });
  });

  for (const [args, message, code] of [
    ['ams-1', 'An edge with this name already exists.', 1],
    ['Ams', 'The name of an edge consists of 1 to 63 characters of a-z, 0-9 and -.', 2],
    ['ams-2 --tags prod,live', 'There is no tag "live": use prod, stage or dev.', 2],
    ['ams-2 --stage beta', 'There is no stage "beta": use canary or main.', 2],
    ['ams-2 --organizations 99', 'There is no such organization.', 1],
    ['ams-2 --organizations x', 'Name the organization by its number.', 2],
    ['ams-2 --colour red', 'Unknown argument: colour', 2],
  ] as const) {
    it(`adds nothing for edges add ${args}`, async () => {
      const refused = await run(`edges add ${args}`);
      expect(refused.code).to.equal(code);
      expect(refused.err).to.include(message);
      expect(await json('edges list')).to.have.lengthOf(1);
    });
  }

  it('shows, drains and undrains an edge', async () => {
    expect((await run('edges show ams-1')).out).to.include('state: not enrolled');
    expect(await json('edges drain ams-1')).to.deep.equal({ name: 'ams-1', draining: true });
    expect(await json('edges show ams-1')).to.include({ draining: true });
    expect(await json('edges undrain ams-1')).to.deep.equal({ name: 'ams-1', draining: false });
    expect((await run('edges drain other')).err).to.include('There is no such edge.');
  });

  it('releases only what waits', async () => {
    const refused = await run('edges release 0190a000-0000-7000-8000-000000000001');
    expect(refused).to.include({ code: 1, err: 'No change of the zone waits for canary edges.\n' });
  });

  it('removes an edge after confirmation', async () => {
    expect((await run('edges remove ams-1')).code).to.equal(2);
    expect((await run('edges remove ams-1', { answers: 'n\n' })).err).to.include('Nothing was changed.');
    expect(await json('edges remove ams-1 --yes')).to.deep.equal({ name: 'ams-1', removed: true });
    expect(await json('edges list')).to.deep.equal([]);
  });
});
