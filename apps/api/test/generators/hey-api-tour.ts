// The client in `dist` is generated from the served document just before this program is compiled.

import type { Tour } from '../support/traveller.ts';
import { client } from './dist/hey-api/client.gen.ts';
import * as api from './dist/hey-api/sdk.gen.ts';

export const tour: Tour = async (baseUrl, { email, password, tokenInMail }) => {
  client.setConfig({ baseUrl, throwOnError: true, headers: { accept: 'application/json' } });
  await api.register({ body: { email, password, firstName: 'Ada', lastName: 'Lovelace' } });
  await api.verifyEmail({ body: { token: await tokenInMail() } });
  const { data: session } = await api.logIn({ body: { email, password }, throwOnError: true });
  if (!('token' in session)) throw new Error('The account has no second factor.');
  client.setConfig({ auth: ({ type }) => (type === 'http' ? session.token : undefined) });
  const { data: zone } = await api.createZone({
    body: { name: 'shop', tag: 'prod', zone_settings: { cachingDefaultTtl: 60 } },
    throwOnError: true,
  });
  const path = { id: zone.id };
  const zones = await api.listZones({ query: { tag: 'prod' }, throwOnError: true });
  const seconds = 'length' in zones.data ? zones.data[0]?.zone_settings.cachingDefaultTtl : undefined;
  const patched = await api.updateZone({ path, body: { name: 'store' } });
  const deleted = await api.deleteZone({ path });
  return [zones.response.status, seconds, patched.response?.status, deleted.response?.status];
};
