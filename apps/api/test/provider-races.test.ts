import { aProvider, plainPasswords, type ScriptedProviders, scriptedProviders } from '@zonewright/memory';
import type { SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import { aVerifiedUser, type User, unique } from './support/arrange.ts';
import { clientOf, cookieValue, type Reply, statusCounts } from './support/client.ts';
import { openService, openTwin, type TestService } from './support/service.ts';

const parallel = 20;
const flowCookie = '__Host-sign_in_flow';
const ownPath = '/api/users/me/providers';

type Answer = Parameters<ScriptedProviders['codeFor']>[0];

/** Statements that no request needs: those of workers, and leases of the general budget. */
const besides = /^(?:BEGIN|COMMIT|outbox|clean-up|edge-feed|rollouts|domain-checks|rate-limits)\b/;

/** Two instances with a database in common, and providers that attest what the tests say. */
describe('Sign-in by a provider on two instances', function () {
  this.timeout(30_000);
  const signInProviders = scriptedProviders([aProvider('corp'), aProvider('school')]);
  const sent: SentStatement[] = [];
  let services: readonly Pick<TestService, 'url' | 'close'>[];
  let first: TestService;

  before(async () => {
    const outside = { passwords: plainPasswords(), signInProviders };
    first = await openService({}, { ...outside, onStatement: (statement) => void sent.push(statement) });
    services = [first, await openTwin(first, {}, outside)];
  });
  after(async () => {
    for (const service of services.toReversed()) await service.close();
  });

  const at = (index: number) => {
    const service = services[index % services.length];
    if (service === undefined) throw new Error('The services are not open.');
    return service;
  };
  const location = ({ headers }: Reply) => headers.get('location') ?? '';
  const someone = () => ({ subject: `subject-${unique()}`, email: `person${unique()}@example.com` as never });

  /** The return of a browser from a flow. */
  function returnOf(begun: Reply, answer: Answer, provider = 'corp', cookies = '') {
    const url = location(begun) || (begun.json() as { readonly url: string }).url;
    const state = new URL(url).searchParams.get('state') ?? '';
    const cookie = `${flowCookie}=${cookieValue(begun, flowCookie)}; ${cookies}`;
    return (index = 0) => {
      const query = new URLSearchParams({ code: signInProviders.codeFor(answer), state }).toString();
      return clientOf(at(index).url).get(`/api/auth/providers/${provider}/callback?${query}`, { cookie });
    };
  }
  const begin = () => clientOf(at(0).url).get('/api/auth/providers/corp/start?returnTo=/in');
  const twenty = <T>(start: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: parallel }, (_, index) => start(index)));
  const placesOf = (replies: readonly Reply[]) => {
    const counts: Record<string, number> = {};
    for (const place of replies.map(location)) counts[place] = (counts[place] ?? 0) + 1;
    return counts;
  };

  it('completes one flow once, of twenty simultaneous callbacks', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const comeBack = returnOf(await begin(), someone());
      const replies = await twenty(comeBack);
      expect(placesOf(replies)).to.deep.equal({ '/in': 1, '/sign-in#problem=flow-invalid': parallel - 1 });
    }
  });

  it('creates one account for twenty simultaneous flows of one person', async () => {
    const answer = someone();
    const flows = await twenty(async () => returnOf(await begin(), answer));
    const replies = await Promise.all(flows.map((comeBack, index) => comeBack(index)));
    expect(placesOf(replies)).to.deep.equal({ '/in': parallel });
    const { count } = await first.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM users WHERE email = $(email)',
      answer,
    );
    expect(count).to.equal(1);
  });

  async function link(user: User, answer: Answer, provider = 'corp') {
    const begun = await user.post(`${ownPath}/${provider}/start`, { returnTo: '/in' });
    return returnOf(begun, answer, provider, `__Host-access_token=${user.token}`);
  }

  it('links one identity to one of two accounts', async () => {
    const answer = someone();
    const users = [await aVerifiedUser(first), await aVerifiedUser(first)];
    const flows = await twenty(async (index) => link(users[index % 2] as User, answer));
    const replies = await Promise.all(flows.map((comeBack, index) => comeBack(index)));
    expect(placesOf(replies)).to.deep.equal({ '/in': parallel / 2, '/sign-in#problem=identity-taken': parallel / 2 });
    const lists = await Promise.all(users.map(async (user) => (await user.get(ownPath)).json() as unknown[]));
    expect(lists.flat()).to.have.length(1);
  });

  it('leaves one of the last two credentials', async () => {
    const token = cookieValue(await returnOf(await begin(), someone())(), '__Host-access_token');
    const headers = { authorization: `Bearer ${token}` };
    const me = { token, ...clientOf(at(0).url, headers) } as User;
    await (await link(me, someone(), 'school'))();
    const ids = ((await me.get(ownPath)).json() as { readonly id: string }[]).map(({ id }) => id);
    expect(ids).to.have.length(2);
    const replies = await twenty((index) => clientOf(at(index).url, headers).delete(`${ownPath}/${ids[index % 2]}`));
    expect(statusCounts(replies)[204]).to.equal(1);
    const { count } = await first.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM provider_identities WHERE id = ANY ($(ids)::uuid[])',
      { ids },
    );
    expect(count).to.equal(1);
  });

  it('takes three statements for a sign-in from a network that is known', async () => {
    const answer = someone();
    for (let before = 1; before <= 3; before += 1) await returnOf(await begin(), answer)();
    for (;;) {
      const comeBack = returnOf(await begin(), answer);
      sent.length = 0;
      expect(location(await comeBack())).to.equal('/in');
      const names = sent.map(({ name, text }) => name ?? text);
      if (names.some((name) => besides.test(name))) continue;
      expect(names).to.deep.equal(['spent-states/spend.sql', 'identities/use.sql', 'sign-ins/open-silently.sql']);
      return;
    }
  });
});
