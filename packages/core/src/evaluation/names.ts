import type { Names, RuleListName } from '@zonewright/engine';
import type { BackendId } from '../backends/backend-reference.ts';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { OrganizationId, RuleId, ZoneId } from '../shared/ids.ts';

/** A zone whose rules and backends are to be named. */
export interface NamedZone {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
}

/** How answers call the rules of a zone and the backends of its organization. */
export interface ResourceNames {
  readonly rule: (kind: RuleKind, id: RuleId) => string;
  readonly originServer: (id: BackendId) => string;
  readonly loadBalancer: (id: BackendId) => string;
}
/** Gives the names for a zone. */
export type NamesOfZone = (zone: NamedZone) => ResourceNames;

/** Names everything by its bare id. */
export const bareIds: NamesOfZone = () => ({
  rule: (_, id) => id,
  originServer: (id) => id,
  loadBalancer: (id) => id,
});

const kinds = new Map<string, RuleKind>(ruleKindNames.map((kind) => [ruleKinds[kind].member, kind]));

/** The kind of the rules of a list. */
export const ruleKindOf = (list: RuleListName): RuleKind =>
  // The engine calls lists as the zone document does, and there is a kind for each.
  kinds.get(list) as RuleKind;

/** The same names as an engine asks for them. */
export const engineNames = ({ rule, originServer, loadBalancer }: ResourceNames): Names => ({
  // The engine gives ids back as it got them.
  rule: (list: RuleListName, id) => rule(ruleKindOf(list), id as RuleId),
  // Likewise.
  originServer: (id) => originServer(id as BackendId),
  // Likewise.
  loadBalancer: (id) => loadBalancer(id as BackendId),
});
