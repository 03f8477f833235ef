import { expect } from 'chai';
import { nodeDns } from '../src/index.ts';
import { type NameServer, openNameServer } from './name-server.ts';

describe('nodeDns', () => {
  let server: NameServer;

  before(async () => {
    server = await openNameServer();
  });
  after(() => server.close());

  const lookUp = (name = 'example.com') => nodeDns({ servers: [server.address] }).texts(name);
  const textsOf = async (name?: string) => (await lookUp(name)).unwrapOr([]);
  const reasonIn = (looked: Awaited<ReturnType<typeof lookUp>>) =>
    looked.match(
      () => 'found',
      ({ reason }) => reason,
    );
  const reasonOf = async (name?: string) => reasonIn(await lookUp(name));

  it('resolves to the texts of all records, each with its parts joined', async () => {
    server.names.set('example.com', [['v=spf1 -all'], ['zonewright-', 'verification=', 'x'.repeat(255)], ['']]);
    expect(await textsOf()).to.have.members(['v=spf1 -all', `zonewright-verification=${'x'.repeat(255)}`, '']);
  });

  it('follows an alias', async () => {
    server.names.set('other.example', [['here']]);
    server.names.set('example.com', { alias: 'other.example' });
    expect(await textsOf()).to.deep.equal(['here']);
  });

  it('remembers nothing between two checks, whatever the record says', async () => {
    server.names.set('example.com', [['one']]);
    expect(await textsOf()).to.deep.equal(['one']);
    server.names.set('example.com', [['two']]);
    expect(await textsOf()).to.deep.equal(['two']);
    server.names.delete('example.com');
    expect(await reasonOf()).to.equal('noSuchName');
  });

  it('tells a name without records from one that does not exist', async () => {
    server.names.set('example.com', []);
    expect(await reasonOf()).to.equal('noRecord');
    expect(await reasonOf('unknown.example')).to.equal('noSuchName');
  });

  for (const failure of ['SERVFAIL', 'REFUSED'] as const) {
    it(`fails if the server answers ${failure}`, async () => {
      server.names.set('example.com', failure);
      expect(await reasonOf()).to.equal('failed');
    });
  }

  it('fails if the server does not answer twice', async () => {
    server.names.set('example.com', 'silent');
    const before = server.asked.length;
    const looked = await nodeDns({ servers: [server.address], timeoutMilliseconds: 100 }).texts('example.com');
    expect(reasonIn(looked)).to.equal('failed');
    expect(server.asked.length - before).to.equal(2);
  });

  it('fails if nothing listens there', async () => {
    const gone = await openNameServer();
    await gone.close();
    expect(reasonIn(await nodeDns({ servers: [gone.address] }).texts('example.com'))).to.equal('failed');
  });
});
