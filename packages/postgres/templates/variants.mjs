/** What distinguishes the statements that one template renders, by the template's path. */

const columns = { name: 'name_key', tag: 'tag', createdAt: 'created_at', updatedAt: 'updated_at' };
const directions = { ascending: 'ASC', descending: 'DESC' };

/** The order by one key, or by id alone. */
const orderBy = ({ key, direction }, of) =>
  key === undefined ? `${of}id` : `${of}${columns[key]} ${directions[direction]}, ${of}id`;
const nameOf = ({ key, direction }) => (key === undefined ? 'by-id' : `by-${key}-${direction}`);
const columnsFor = ({ key }) => (key === undefined ? 'id' : `id, ${columns[key]}`);

/** Zones in the order of the indexes of each organization, or of each of its tags. */
const ordered = (sort, { perTag }) => ({
  path: `zones/zones/list/${nameOf(sort)}${perTag ? '-per-tag' : ''}.sql`,
  page: 'ordered-page',
  perTag,
  columns: columnsFor(sort),
  order: orderBy(sort, 'z.'),
  orderOfFirst: orderBy(sort, 'first.'),
  // The zones of one tag are indexed by id.
  indexOrder: sort.key === 'tag' ? 'id' : orderBy(sort, ''),
});

/** The zones that match a search. */
const matching = (sort) => ({
  path: `zones/zones/list/matching-${nameOf(sort)}.sql`,
  page: 'matching-page',
  columns: columnsFor(sort),
  order: orderBy(sort, 'z.'),
});

/** Zones by several keys, of which the first is indexed. */
const severalKeys = (sort) => ({
  path: `zones/zones/list/${nameOf(sort)}-and-more.sql`,
  page: 'several-keys-page',
  indexOrder: `${columns[sort.key]} ${directions[sort.direction]}`,
});

const sorts = Object.keys(columns).flatMap((key) => Object.keys(directions).map((direction) => ({ key, direction })));
const lists = [{}, ...sorts].flatMap((sort) => [
  // Only ids and names are indexed for whole organizations.
  ...(sort.key === undefined || sort.key === 'name' ? [ordered(sort, { perTag: false })] : []),
  ordered(sort, { perTag: true }),
  matching(sort),
  // The zones of one tag are equal by it.
  ...(sort.key === undefined || sort.key === 'tag' ? [] : [severalKeys(sort)]),
]);
const allColumns = ['id', ...Object.values(columns)].join(', ');

/** Changes of zones by the parts they touch, the most frequent ones apart: leaving out a part saves its time. */
const changes = Object.entries({
  zone: ['zone'],
  'host-names': ['zone', 'hostNames'],
  'zone-and-backends': ['zone', 'backends'],
  rules: ['rules'],
  'rules-and-backends': ['rules', 'backends'],
  'rule-ids': ['rules', 'ruleIds'],
  'rule-ids-and-backends': ['rules', 'ruleIds', 'backends'],
  users: ['users'],
  everything: ['zone', 'hostNames', 'rules', 'ruleIds', 'users', 'backends'],
  'change-set': ['zone', 'hostNames', 'rules', 'ruleIds', 'users', 'backends', 'changeSet'],
}).map(([name, parts]) => ({
  path: `zones/zone-changes/apply/${name}.sql`,
  ...Object.fromEntries(parts.map((part) => [part, true])),
}));

export const variants = {
  'accounts/accounts/profile.sql.eta': [
    { path: 'accounts/accounts/profile.sql', byCredential: true },
    { path: 'accounts/accounts/profile-by-id.sql', byCredential: false },
  ],
  'zones/zone-changes/apply.sql.eta': changes,
  'zones/zones/whole.sql.eta': [
    { path: 'zones/zones/whole.sql', byCredential: true },
    { path: 'zones/zones/whole-by-id.sql', byCredential: false },
  ],
  'zones/zones/list.sql.eta': [
    ...lists,
    { path: 'zones/zones/list/by-hostname.sql', page: 'hostname-page' },
    { path: 'zones/zones/list/matching-by-several-keys.sql', page: 'matching-page', columns: allColumns },
  ],
};
