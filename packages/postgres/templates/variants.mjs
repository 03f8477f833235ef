/** What distinguishes the statements that one template renders, by the template's path. */

/** Changes of zones by the parts they touch, the most frequent ones apart: leaving out a part saves its time. */
const changes = Object.entries({
  zone: ['zone'],
  rules: ['rules'],
  'rule-lists': ['rules', 'ruleIds', 'backends'],
  'by-service': ['zone', 'hostNames', 'byService'],
  everything: ['zone', 'hostNames', 'rules', 'ruleIds', 'users', 'backends', 'changeSet'],
}).map(([name, parts]) => ({
  path: `zones/zone-changes/apply/${name}.sql`,
  ...Object.fromEntries(parts.map((part) => [part, true])),
}));

/** The indexes of the zones of one tag, by the sort key that a list names. */
const indexes = Object.entries({
  id: 'id',
  'name asc': 'name_key',
  'name desc': 'name_key DESC',
  'createdAt asc': 'created_at',
  'createdAt desc': 'created_at DESC',
  'updatedAt asc': 'updated_at',
  'updatedAt desc': 'updated_at DESC',
});

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
  'zones/zones/list/by-any-keys.sql.eta': [{ path: 'zones/zones/list/by-any-keys.sql', indexes }],
  'zones/zones/list/in-order.sql.eta': [
    { path: 'zones/zones/list/by-id.sql', columns: 'id', order: 'id' },
    { path: 'zones/zones/list/by-name.sql', columns: 'id, name_key', order: 'name_key, id' },
  ],
};
