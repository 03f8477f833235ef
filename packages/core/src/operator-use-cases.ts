import { blockUser, unblockUser } from './accounts/administration/block-user.ts';
import {
  changeOrganizationLimits,
  changeUserLimits,
  readOrganizationLimits,
} from './accounts/administration/change-limits.ts';
import { changeRetention } from './accounts/administration/change-retention.ts';
import { createUser } from './accounts/administration/create-user.ts';
import { endAllSessions } from './accounts/administration/end-all-sessions.ts';
import { eraseUser } from './accounts/administration/erase-user.ts';
import { liftRequiredProvider } from './accounts/administration/lift-required-provider.ts';
import {
  listIdentitiesOf,
  listPasskeysOf,
  removeIdentity,
  removePasskeyOf,
  removeSecondFactor,
} from './accounts/administration/remove-factors.ts';
import {
  addEdge,
  drainEdge,
  listEdges,
  readEdge,
  releaseZone,
  removeEdge,
  renewEdge,
} from './delivery/edges/administer-edges.ts';
import { lazily } from './kernel/shared/lazily.ts';
import type { Ports, Wired } from './use-cases.ts';

const operatorFactories = {
  createUser,
  blockUser,
  unblockUser,
  endAllSessions,
  eraseUser,
  removeSecondFactor,
  listPasskeysOf,
  removePasskeyOf,
  readOrganizationLimits,
  changeOrganizationLimits,
  changeRetention,
  changeUserLimits,
  addEdge,
  listEdges,
  readEdge,
  drainEdge,
  removeEdge,
  renewEdge,
  releaseZone,
  listIdentitiesOf,
  removeIdentity,
  liftRequiredProvider,
};

/**
 * Operator actions on other people's accounts, wired like `useCases`. They check no permissions, so only someone with
 * access to the database may call them; never expose them over HTTP.
 */
export const administration = <P extends Partial<Ports>>(ports: P): Wired<typeof operatorFactories, P> =>
  // The result names only those that find their ports in `P`.
  wireForOperators(ports as unknown as Ports) as unknown as Wired<typeof operatorFactories, P>;

const wireForOperators = lazily<Ports, Wired<typeof operatorFactories, Ports>>(operatorFactories);
