import createClient from 'openapi-fetch';
// Generated from the served document just before this program is compiled.
import type { paths } from './dist/openapi.d.ts';

/** The user of the tour and access to their mail. */
export interface TourUser {
  readonly email: string;
  readonly password: string;
  /** The token in the mail sent to the address. */
  readonly tokenInMail: () => Promise<string>;
}

/** What a developer writes who knows the service only through its OpenAPI document: the tour of README.md. */
export async function tour(baseUrl: string, { email, password, tokenInMail }: TourUser): Promise<readonly string[]> {
  const client = clientOf(baseUrl);
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  had(await client.POST('/auth/register', { body: { email, password, ...names } }));
  had(await client.POST('/auth/verify-email', { body: { token: await tokenInMail() } }));
  const session = had(await client.POST('/auth/login', { body: { email, password } }));
  if (!('token' in session)) throw new Error('The account has no second factor.');
  client.use({
    onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${session.token}`),
  });
  const { id: zoneId } = had(
    await client.POST('/zones', {
      body: { name: 'shop.example.com', tag: 'prod', zone_settings: { cachingDefaultTtl: 3600 } },
    }),
  );
  const query = { tag: 'prod', 'order[name]': 'asc' } as const;
  const [zone] = had(await client.GET('/zones', { params: { query } }));
  const seconds: number | undefined = zone?.zone_settings.cachingDefaultTtl;
  const rules = await twoRules(client, zoneId);
  return [`${zone?.name} keeps objects for ${seconds} seconds`, ...rules];
}

type Client = ReturnType<typeof clientOf>;

/** Selects the plain format of each response. */
const clientOf = (baseUrl: string) =>
  createClient<paths, 'application/json'>({ baseUrl, headers: { accept: 'application/json' } });

/** Creates two rules, moves the second one to the front, and reads both. */
async function twoRules(client: Client, zoneId: string): Promise<readonly string[]> {
  const list = { params: { path: { zoneId } } };
  const conditionsOn = (value: string) => ({
    logic: 'and',
    conditions: [{ field: 'uri', operator: 'starts_with', value } as const],
  });
  had(
    await client.POST('/zones/{zoneId}/configuration-rules', {
      ...list,
      body: {
        name: 'Keep the blog for a day',
        conditions: conditionsOn('/blog/'),
        settingsOverrides: { cachingDynamicEnabled: true, cachingDefaultTtl: 86_400 },
      },
    }),
  );
  const { id } = had(
    await client.POST('/zones/{zoneId}/configuration-rules', {
      ...list,
      body: { name: 'Never cache the cart', conditions: conditionsOn('/cart'), stopOnMatch: true },
    }),
  );
  const one = { params: { path: { zoneId, id } } };
  had(await client.POST('/zones/{zoneId}/configuration-rules/{id}/move', { ...one, body: { position: 1 } }));
  had(
    await client.PATCH('/zones/{zoneId}/configuration-rules/{id}', {
      ...one,
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: { stopOnMatch: null, enabled: false },
    }),
  );
  const read = had(await client.GET('/zones/{id}', { params: { path: { id: zoneId } } }));
  return read.configurationRules.map(({ order, name, enabled }) => `${order}. ${name}${enabled ? '' : ' (off)'}`);
}

/** The response data; fails if the request was rejected. */
function had<T>(answer: { readonly data?: T; readonly error?: unknown }): T {
  if (answer.data === undefined) throw new Error(`refused: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/**
 * What the types reject: each line below is an error without its comment, and the comment is an error if it is not
 * needed.
 */
export async function mistakes(baseUrl: string, zoneId: string): Promise<void> {
  const client = clientOf(baseUrl);
  const zone = { params: { path: { id: zoneId } } };
  // @ts-expect-error Unknown path.
  await client.GET('/zone');
  // @ts-expect-error The name is missing.
  await client.POST('/zones', { body: { tag: 'prod' } });
  // @ts-expect-error Unknown tag.
  await client.POST('/zones', { body: { name: 'shop', tag: 'qa' } });
  // @ts-expect-error Seconds are a number.
  await client.PATCH('/zones/{id}', { ...zone, body: { zone_settings: { cachingDefaultTtl: '1' } } });
  // @ts-expect-error `If-Match` is missing.
  await client.PUT('/zones/{zoneId}/rewrite-rules', { params: { path: { zoneId } }, body: [] });
}
