import {
  addressKey,
  type Backend,
  type BackendId,
  type BackendKind,
  type BackendOrigin,
  type BackendReference,
  type Backends,
  type BackendUser,
  backendKind,
  type ConfigurationRuleContent,
  maxUsers,
  nameKey,
  namesAnswering,
  type SettingsReferences,
  storedDocument,
  type ZoneSettings,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { codePointKey, sortedBy } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import type { RuleRow } from '../tables/zone-rows.ts';

export const memoryBackends = ({ tables }: Unit): Backends => {
  const { originServers, loadBalancers } = tables;
  return {
    lockPresent: (organization, backends) => {
      const present = <Row extends Backend>(kind: BackendKind, rows: ReadonlyMap<BackendId, Row>) =>
        new Map(
          backends
            .filter((each) => backendKind(each) === kind && rows.get(each.id)?.organizationId === organization)
            .map((each) => [each.id, originsBehind(tables, each)]),
        );
      return okAsync({
        origin_server: present('origin_server', originServers),
        load_balancer: present('load_balancer', loadBalancers),
      });
    },
    lockLoadBalancersWith: (wanted) =>
      okAsync(
        [...loadBalancers.values()].flatMap(({ id, origins }) =>
          origins.some(({ originServer }) => originServer === wanted) ? [id] : [],
        ),
      ),
    count: (organization) =>
      okAsync(
        [...originServers.values(), ...loadBalancers.values()].filter(
          ({ organizationId }) => organizationId === organization,
        ).length,
      ),
    users: (backends, filter) => {
      const users = filter === undefined ? allUsers(tables, backends) : zoneUsers(tables, backends, filter.hosts);
      return okAsync(users.slice(0, maxUsers));
    },
    areUsedOutside: (backends, allowed) =>
      okAsync(zoneUsers(tables, backends).some((user) => 'zone' in user && !allowed.includes(user.zone))),
  };
};

const originsBehind = ({ originServers, loadBalancers }: Tables, backend: BackendReference): BackendOrigin[] => {
  const origins =
    backendKind(backend) === 'origin_server'
      ? [{ originServer: backend.id, enabled: true }]
      : (loadBalancers.get(backend.id)?.origins ?? []);
  return origins.flatMap(({ originServer, enabled }) => {
    const row = originServers.get(originServer);
    return row === undefined ? [] : [{ addressKey: addressKey(row.address), enabled }];
  });
};

const allUsers = (tables: Tables, backends: readonly BackendId[]): BackendUser[] => [
  ...zoneUsers(tables, backends),
  ...byName([...tables.loadBalancers.values()])
    .filter(({ origins }) => origins.some(({ originServer }) => backends.includes(originServer)))
    .map(({ id, name, organizationId: organization }) => ({
      kind: 'loadBalancer' as const,
      name,
      organization,
      loadBalancer: id,
    })),
];

/** Zones and rules that use one of the backends; with hosts, only zones that answer for one, and their rules. */
function zoneUsers({ zones, rules }: Tables, backends: readonly BackendId[], hosts?: readonly string[]): BackendUser[] {
  const isUsed = ({ defaultBackend }: SettingsReferences) =>
    defaultBackend !== undefined && backends.includes(defaultBackend.id);
  const names = new Set<string>(hosts?.flatMap(namesAnswering));
  const eligible = [...zones.values()].filter(
    ({ name, hostnames }) =>
      hosts === undefined || hosts.includes(nameKey(name)) || hostnames.some((each) => names.has(each)),
  );
  const ids = new Set(eligible.map(({ id }) => id));
  return [
    ...byName(eligible)
      .filter(({ settings }) => isUsed(storedDocument<ZoneSettings>(settings).value))
      .map(({ id, name }) => ({ kind: 'zone' as const, name, zone: id })),
    ...byName([...rules.values()].filter(({ zoneId }) => ids.has(zoneId)).flatMap(configurationRule))
      .filter(({ settingsOverrides }) => isUsed(settingsOverrides))
      .map(({ id, name, zoneId }) => ({ kind: 'configurationRule' as const, name, zone: zoneId, rule: id })),
  ];
}

const configurationRule = ({ id, kind, zoneId, content }: RuleRow) => {
  if (kind !== 'configurationRule') return [];
  const { name, settingsOverrides } = storedDocument<ConfigurationRuleContent>(content).value;
  return [{ id, zoneId, name, settingsOverrides }];
};

/** Sorted by name ignoring case, then by id. */
export const byName = <T extends { readonly name: string; readonly id: string }>(rows: readonly T[]): T[] =>
  sortedBy(rows, ({ name, id }) => [codePointKey(nameKey(name)), id]);
