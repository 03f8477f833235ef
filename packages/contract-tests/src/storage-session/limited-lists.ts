import {
  type AuditFilter,
  type Caller,
  defaultTokenPermissions,
  EnvironmentTag,
  HostName,
  type ListZonesQuery,
  type OrganizationId,
  type Page,
  type PlausibleCredential,
  searchKey,
  type UserId,
  type Zone,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import { expect } from 'chai';
import { callerOf, removed, storedOwner, storedZone } from '../arrangements/index.ts';
import { anApiToken, anAuditEntry, aZoneName, noClient, unique, wholeList } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { okOf, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { listedBy } from './listed-zones.ts';
import { everything } from './member.ts';

/** The credential of a token for some zones or organizations. */
const aToken = async (
  storage: Storage,
  userId: UserId,
  limits: { readonly zones?: readonly ZoneId[]; readonly organizations?: readonly OrganizationId[] },
): Promise<PlausibleCredential> => {
  const token = anApiToken({ userId, permissions: defaultTokenPermissions, ...limits });
  await runUnit(storage, ({ apiTokens }) => apiTokens.add(token));
  return { kind: 'apiToken', hash: token.hash };
};

/** A member of two organizations with three zones each; the first and the last have host names. */
async function aPlace(storage: Storage) {
  const [owner, other] = [await storedOwner(storage), await storedOwner(storage)];
  await storage.setRole(other.organizationId, owner.userId, 'owner');
  const zones: Zone[] = [];
  for (const [index, tag] of (['prod', 'stage', 'dev', 'prod', 'stage', 'dev'] as const).entries()) {
    const hostnames = [HostName.parse(`h${unique()}.example.com`)];
    const claims = hostnames.map((name) => ({ name, domain: undefined }));
    const having = index < 3 ? owner : other;
    zones.push(
      (await storedZone(storage, { owner: having, name: aZoneName(`zone ${index}`), tag, hostnames, claims })).zone,
    );
  }
  const ids = zones.map(({ id }) => id);
  const inside = [ids[0]!, ids[4]!];
  return { owner, other, zones, inside };
}

/** Every combination of one choice each. */
const combined = <A, B, C, D>(one: readonly A[], two: readonly B[], three: readonly C[], four: readonly D[]) =>
  one.flatMap((a) => two.flatMap((b) => three.flatMap((c) => four.map((d) => [a, b, c, d] as const))));

const sorts: readonly (readonly ZoneSort[])[] = [
  [],
  [{ key: 'name', direction: 'asc' }],
  [{ key: 'name', direction: 'desc' }],
  [
    { key: 'tag', direction: 'asc' },
    { key: 'createdAt', direction: 'desc' },
  ],
];

const matches = (zone: Zone, { organization, tags, search, hostname }: ListZonesQuery): boolean =>
  (organization === undefined || zone.organizationId === organization) &&
  (tags.length === 0 || tags.includes(zone.tag)) &&
  (search === undefined || [zone.name.toLowerCase(), zone.id].some((text) => text.includes(searchKey(search)))) &&
  (hostname === undefined || zone.hostnames.includes(hostname));

const idsIn = ({ items, totalItems }: Page<{ readonly id: string }>) => ({
  ids: items.map(({ id }) => id).toSorted(),
  totalItems,
});

/** Every list with each filter and all combinations of them, for tokens that may see a part of it. */
export function limitedLists(storage: () => Storage): void {
  it('show zones of the credential alone, whatever the filters', async () => {
    const { owner, other, zones, inside } = await aPlace(storage());
    const [first, last] = [zones[0]!, zones[5]!];
    const queries = combined(
      [undefined, owner.organizationId, other.organizationId],
      [[], ['prod'], ['stage', 'dev']],
      [undefined, 'z', 'zone', first.id.slice(-6), last.id],
      [undefined, first.hostnames[0], last.hostnames[0]],
    );
    const limits = [
      { zones: inside },
      { organizations: [owner.organizationId] },
      { zones: inside, organizations: [other.organizationId] },
    ];
    for (const limit of limits) {
      const credential = await aToken(storage(), owner.userId, limit);
      const seen = zones.filter(
        ({ id, organizationId }) =>
          (limit.zones?.includes(id) ?? true) && (limit.organizations?.includes(organizationId) ?? true),
      );
      const asked = limit === limits[0] ? queries : queries.filter((_, index) => index % 5 === 0);
      for (const [index, [organization, tags, search, hostname]] of asked.entries()) {
        const given = { organization, tags: tags.map((tag) => EnvironmentTag.parse(tag)), search, hostname };
        const query = { ...everything, ...given, sort: sorts[index % sorts.length]! };
        const ids = seen.flatMap((zone) => (matches(zone, query) ? [zone.id] : [])).toSorted();
        const expected = { ids, totalItems: ids.length };
        const shown = JSON.stringify([limit, given]);
        expect(idsIn(await listedBy(storage(), credential, query)), shown).to.deep.equal(expected);
      }
    }
  });

  it('show deleted zones of the credential alone, whatever the filters', async () => {
    const { owner, zones, inside } = await aPlace(storage());
    for (const { id } of zones) await runUnit(storage(), (repositories) => removed(repositories, id));
    const token = await aToken(storage(), owner.userId, { zones: inside });
    const caller = { ...(await callerOf(storage(), token)), client: noClient };
    for (const search of [undefined, 'z', 'ZONE', inside[0]!.slice(-6), zones[1]!.id]) {
      const filter = { organization: owner.organizationId, search };
      const page = await okOf(casesOn(storage()).listDeletedZones(caller, filter, wholeList));
      const ids = [undefined, 'z', 'ZONE', inside[0]!.slice(-6)].includes(search) ? [inside[0]!] : [];
      expect(idsIn(page), search).to.deep.equal({ ids, totalItems: ids.length });
    }
  });

  it('show no entries of other zones in the audit log, whatever the filters', async () => {
    const { owner, zones, inside } = await aPlace(storage());
    const { organizationId: organization, userId: actor } = owner;
    const objects = [{ zone: inside[0]! }, { zone: zones[1]!.id }, { zone: inside[0]!, rule: 'one' }, {}];
    for (const [index, each] of objects.entries()) {
      const action = index < 2 ? ('zone.changed' as const) : ('configurationRule.changed' as const);
      await runUnit(storage(), ({ auditLog }) =>
        auditLog.record(
          anAuditEntry({ organization, actor: index % 2 === 0 ? actor : undefined, action, objects: each }),
        ),
      );
    }
    const { caller: all } = owner;
    const token = await aToken(storage(), owner.userId, { zones: inside });
    const limited = { ...(await callerOf(storage(), token)), client: noClient };
    const read = (by: Caller, filter: Omit<AuditFilter, 'zones'>) =>
      okOf(casesOn(storage()).readAuditLog(by, filter, wholeList));
    const since = new Date(0);
    const until = new Date(Date.UTC(2999, 0));
    let hidden = 0;
    for (const [actions, by, from, to] of combined(
      [[], ['zone.changed'], ['zone.changed', 'configurationRule.changed']] as const,
      [undefined, actor],
      [undefined, since],
      [undefined, until],
    )) {
      const filter = { organization, actions, actor: by, since: from, until: to };
      const { items } = await read(all, filter);
      const expected = items.filter(({ objects: { zone } }) => zone === undefined || inside.some((id) => id === zone));
      hidden += items.length - expected.length;
      expect(await read(limited, filter)).to.deep.equal({ items: expected, totalItems: expected.length });
    }
    expect(hidden).to.be.greaterThan(0);
  });
}
