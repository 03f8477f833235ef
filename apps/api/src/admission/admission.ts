import type { ApiError } from '@zonewright/api-description';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import {
  type Authentication,
  lookUpCaller,
  presentCredential,
  refuseReadOnlyToken,
  requireEdgeKey,
  requirePermission,
} from './authentication.ts';
import { type BudgetDependencies, requireBudget, requireUnrefused } from './budget.ts';
import { requireMemory } from './payloads.ts';

/** A check that a request passes before its body is read. */
type Station = (
  exchange: Exchange,
  route: Route,
  dependencies: AdmissionDependencies,
) => Result<unknown, ApiError> | ResultAsync<unknown, ApiError>;

export interface AdmissionDependencies extends Authentication, BudgetDependencies {}

const ofCallers: readonly Station[] = [
  presentCredential,
  requireUnrefused,
  lookUpCaller,
  requireBudget,
  requirePermission,
  requireMemory,
];

/** The stations of each kind of access, in order. */
const stations: Readonly<Record<Route['access'], readonly Station[]>> = {
  public: [refuseReadOnlyToken],
  edge: [requireEdgeKey],
  protected: ofCallers,
  session: ofCallers,
};

/** Passes a request through the stations of its route; what they find out about it is in the exchange. */
export async function admit(
  exchange: Exchange,
  route: Route,
  dependencies: AdmissionDependencies,
): Promise<Result<void, ApiError>> {
  for (const station of stations[route.access]) {
    const passed = station(exchange, route, dependencies);
    const result = passed instanceof ResultAsync ? await passed : passed;
    if (result.isErr()) return err(result.error);
  }
  return ok();
}
