import type { People } from '../../organizations/access/ports.ts';
import type { IdentityRepositories } from './repositories.ts';

/** The people of organizations, who are the holders of accounts. */
export const peopleWith = ({
  accounts,
  identities,
}: Pick<IdentityRepositories, 'accounts' | 'identities'>): People => ({
  byId: (id) => accounts.profile(id),
  lockFactors: (id) => accounts.lock(id),
  providersOf: (id) => identities.list(id).map((linked) => linked.map(({ provider }) => provider)),
});
