import type { Names, RuleListName } from '@zonewright/engine';
import type { OrganizationId, RuleId, ZoneId } from '../../kernel/shared/ids.ts';
import type { BackendId } from '../../organizations/backends/backend-reference.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';

/** A zone whose rules and backends need names. */
export interface NamedZone {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
}

/** How responses name the rules of a zone and the backends of its organization. */
export interface ResourceNames {
  readonly rule: (kind: RuleKind, id: RuleId) => string;
  readonly originServer: (id: BackendId) => string;
  readonly loadBalancer: (id: BackendId) => string;
}
/** Makes the names for a zone. */
export type NamesOfZone = (zone: NamedZone) => ResourceNames;

/** Names everything by its id. */
export const bareIds: NamesOfZone = () => ({
  rule: (_, id) => id,
  originServer: (id) => id,
  loadBalancer: (id) => id,
});

const kinds = new Map<string, RuleKind>(ruleKindNames.map((kind) => [ruleListNames[kind], kind]));

/** The kind of the rules in a list. */
export const ruleKindOf = (list: RuleListName): RuleKind =>
  // The engine uses the list names of the zone document, and each has a kind.
  kinds.get(list) as RuleKind;

/** The same names in the engine's format. */
export const engineNames = ({ rule, originServer, loadBalancer }: ResourceNames): Names => ({
  // The engine returns ids unchanged.
  rule: (list: RuleListName, id) => rule(ruleKindOf(list), id as RuleId),
  // As above.
  originServer: (id) => originServer(id as BackendId),
  // As above.
  loadBalancer: (id) => loadBalancer(id as BackendId),
});
