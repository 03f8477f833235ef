import type { People } from '../../organizations/access/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { Identities } from './ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly identities: Identities;
}

/** The people of organizations, who are the holders of accounts. */
export const peopleWith = ({ accounts, identities }: Pick<Repositories, 'accounts' | 'identities'>): People => ({
  byId: (id) => accounts.profile(id),
  lockFactors: (id) => accounts.lock(id),
  providersOf: (id) => identities.list(id).map((linked) => linked.map(({ provider }) => provider)),
});
