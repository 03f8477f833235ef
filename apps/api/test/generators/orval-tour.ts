// The client in `dist` is generated from the served document just before this program is compiled.

import type { Tour } from '../support/traveller.ts';
import * as api from './dist/orval.ts';

/** The generated client contains the base URL. */
export const tour: Tour = async (_, { email, password, tokenInMail }) => {
  await api.register({ email, password, firstName: 'Ada', lastName: 'Lovelace' });
  await api.verifyEmail({ token: await tokenInMail() });
  const session = await api.logIn({ email, password });
  if (session.status !== 200 || !('token' in session.data)) throw new Error('The account has no second factor.');
  const headers = { authorization: `Bearer ${session.data.token}`, accept: 'application/json' };
  const zone = await api.createZone(
    { name: 'shop', tag: 'prod', zone_settings: { cachingDefaultTtl: 60 } },
    { headers },
  );
  if (zone.status !== 201) throw new Error(zone.data.title);
  const { id } = zone.data;
  const zones = await api.listZones({ tag: 'prod' }, { headers });
  const seconds = Array.isArray(zones.data) ? zones.data[0]?.zone_settings.cachingDefaultTtl : undefined;
  const patched = await api.updateZone(id, { name: 'store' }, { headers });
  const deleted = await api.deleteZone(id, { headers });
  return [zones.status, seconds, patched.status, deleted.status];
};
