import { type Statement, statementFile } from './statement.ts';

type Names = Readonly<Record<string, readonly string[]>>;
type Statements<Given extends Names> = {
  readonly [Folder in keyof Given]: Readonly<Record<Given[Folder][number], Statement>>;
};

/** Folders and files have names in kebab case. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads the statements with these names from these folders of `sql/`. */
const read = <const Given extends Names>(names: Given): Statements<Given> =>
  // The keys are the names.
  Object.fromEntries(
    Object.entries(names).map(([folder, files]) => [
      folder,
      Object.fromEntries(files.map((name) => [name, statementFile(`${kebab(folder)}/${kebab(name)}.sql`)])),
    ]),
  ) as Statements<Given>;

/** All statements of the adapters, read at startup: a missing file must not wait for its first request. */
export const sql = read({
  accounts: ['add', 'lock', 'factsByEmail', 'facts', 'profile', 'profileById', 'markEmailVerified', 'saveProfile'],
  callers: ['authenticate'],
  accountBlocks: ['set'],
  standby: ['position', 'lag', 'state', 'comparison'],
  keys: ['secrets', 'uses'],
  directory: ['accounts', 'members', 'organizations', 'auditEntries'],
  retention: ['of', 'set', 'unset'],
  credentials: ['setPassword', 'renew', 'replacePasswordHash'],
  addressChanges: [
    'requestCount',
    'supersede',
    'request',
    'lockConfirmingAccount',
    'requested',
    'confirm',
    'setAddress',
    'reserved',
    'lockUndoingAccount',
    'undo',
    'voidLater',
    'endAdded',
  ],
  mailedTokens: ['supersede', 'issue', 'issuedCount', 'holder', 'lockAccount', 'redeem'],
  sessions: ['open', 'confirm', 'list', 'total', 'end', 'endLive', 'endSurplus', 'endAllOf', 'endAllBy', 'hasEnded'],
  signIns: ['noteNetwork', 'forgetNetworks', 'openSilently'],
  refreshTokens: ['add', 'tryLock', 'lockUser', 'lockSession', 'rotate', 'sessionOf'],
  challenges: ['lockAccount', 'voidAllOf', 'issue', 'holder', 'countAttempt', 'spend'],
  twoFactor: [
    'reseal',
    'state',
    'isEnabled',
    'begin',
    'enable',
    'disable',
    'spendStep',
    'removeRecoveryCodes',
    'addRecoveryCodes',
    'spendRecoveryCode',
  ],
  passkeys: ['add', 'list', 'total', 'rename', 'remove', 'held', 'noteUse'],
  passkeyChallenges: ['issue', 'spend'],
  identities: ['use', 'list', 'link', 'holder', 'unlink'],
  spentStates: ['spend'],
  unverifiedAccounts: ['remove'],
  domains: ['add', 'list', 'total', 'byId', 'named', 'remove'],
  domainLooks: ['claim', 'lock', 'record'],
  apiTokens: ['add', 'activeCount', 'organizationsOf', 'list', 'total', 'revoke', 'noteUse'],
  storageQuotas: ['of', 'lock'],
  organizations: ['create', 'ownedCount', 'list', 'total', 'byId', 'lock', 'save', 'remove'],
  members: ['list', 'total', 'byUser', 'ownerCount', 'add', 'setRole', 'remove'],
  memberships: ['lock', 'lockEnforcing', 'shareOrganization'],
  invitations: ['expire', 'add', 'list', 'total', 'byId', 'pendingCount', 'renew', 'revoke', 'revokeAllOf'],
  invitationTokens: ['byHash', 'accept'],
  limitOverrides: ['of', 'set', 'ofUser', 'setUser'],
  zones: ['add', 'count', 'head', 'read', 'state', 'whole', 'wholeById', 'remove'],
  zoneChanges: ['lock', 'queue', 'outside', 'hostNames', 'applySetAlone'],
  deletedZones: ['list', 'total', 'byId', 'state', 'revive'],
  rules: ['list', 'byId'],
  history: ['add', 'list', 'total', 'byNumber', 'trail', 'trailNames'],
  basicAuthUsers: ['list', 'byId'],
  backends: ['lockOriginServers', 'lockLoadBalancers', 'lockLoadBalancersWith', 'originsBehind', 'count', 'users'],
  originServers: ['add', 'list', 'total', 'byId', 'lock', 'clashes', 'save', 'remove'],
  loadBalancers: ['add', 'list', 'total', 'byId', 'lock', 'clashes', 'save', 'removeOrigins', 'addOrigins', 'remove'],
  backendHistory: ['list', 'total', 'byNumber', 'asOf'],
  changeSets: ['add', 'byId', 'byIds', 'list', 'total', 'save', 'discard', 'noteMerges'],
  promotions: ['add', 'byId', 'list', 'total', 'lastApplied', 'openLike'],
  outbox: ['add', 'noticeCount', 'claim', 'finish', 'retryLater'],
  auditLog: ['record', 'list', 'total', 'unfilteredTotal', 'listOfAccount', 'totalOfAccount'],
  migrations: ['lock', 'table', 'server', 'applied'],
  banTokens: ['plain', 'list', 'seal'],
  ruleKeys: ['outdated', 'confirm', 'replace', 'remove'],
  idempotencyKeys: ['claim', 'given', 'keep', 'kept'],
  edges: ['add', 'list', 'enrol', 'byKeys', 'drain', 'remove'],
  edgeStates: ['record', 'forget', 'serving'],
  edgeFeed: [
    'lock',
    'due',
    'addDocuments',
    'publish',
    'removeMarks',
    'markAll',
    'changes',
    'document',
    'glance',
    'forgetDocuments',
    'forgetPublications',
    'forgetRemovals',
  ],
  rollouts: ['canaries', 'pending', 'promote', 'offered', 'noteCurrent'],
  zoneCredentials: ['hashes'],
  rateLimits: ['take', 'beginLock', 'clear', 'giveBack', 'removeExpired'],
});
