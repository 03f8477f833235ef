import { type Statement, statementFile } from './connection/statement.ts';

type Names = Readonly<Record<string, readonly string[]>>;
type Statements<Given extends Names> = {
  readonly [Folder in keyof Given]: Readonly<Record<Given[Folder][number], Statement>>;
};

/** Folders and files have names in kebab case. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads the statements with these names from these folders of a context. */
const read = <const Given extends Names>(context: string, names: Given): Statements<Given> =>
  // The keys are the names.
  Object.fromEntries(
    Object.entries(names).map(([folder, files]) => [
      folder,
      Object.fromEntries(files.map((name) => [name, statementFile(`${context}/${kebab(folder)}/${kebab(name)}.sql`)])),
    ]),
  ) as Statements<Given>;

/** All statements of the adapters, read at startup: a missing file must not wait for its first request. */
export const sql = {
  ...read('kernel', {
    idempotencyKeys: ['claim', 'given', 'keep', 'kept'],
    keys: ['secrets', 'uses'],
    migrations: ['lock', 'table', 'server', 'applied'],
    rateLimits: ['take', 'beginLock', 'clear', 'giveBack', 'removeExpired'],
    outbox: ['add', 'noticeCount', 'claim', 'finish', 'retryLater'],
  }),
  ...read('organizations', {
    auditLog: ['record', 'list', 'total', 'unfilteredTotal', 'listOfAccount', 'totalOfAccount'],
    backends: [
      'lockOriginServers',
      'lockLoadBalancers',
      'lockLoadBalancersWith',
      'originsBehind',
      'count',
      'users',
      'areUsedOutside',
    ],
    domainChecks: ['claim', 'lock', 'record'],
    domains: ['add', 'list', 'total', 'byId', 'named', 'remove'],
    invitationTokens: ['byHash', 'accept'],
    invitations: ['expire', 'add', 'list', 'total', 'byId', 'pendingCount', 'renew', 'revoke', 'revokeAllOf'],
    limitOverrides: ['of', 'set', 'ofUser', 'setUser'],
    loadBalancers: ['add', 'list', 'total', 'byId', 'lock', 'clashes', 'save', 'removeOrigins', 'addOrigins', 'remove'],
    members: ['list', 'total', 'byUser', 'ownerCount', 'add', 'setRole', 'remove'],
    memberships: ['lock', 'lockEnforcing', 'shareOrganization'],
    organizations: ['create', 'ownedCount', 'list', 'total', 'byId', 'lock', 'save', 'remove'],
    originServers: ['add', 'list', 'total', 'byId', 'lock', 'clashes', 'save', 'remove'],
    storageQuotas: ['of', 'lock'],
  }),
  ...read('accounts', {
    accountBlocks: ['set'],
    accountErasures: ['lockAccount', 'lockOrganizations', 'solelyOwned', 'erase'],
    accounts: ['add', 'lock', 'factsByEmail', 'facts', 'profile', 'profileById', 'markEmailVerified', 'saveProfile'],
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
    apiTokens: [
      'add',
      'activeCount',
      'organizationsOf',
      'list',
      'total',
      'revoke',
      'noteUse',
      'activeNames',
      'revokeAllOf',
    ],
    callers: ['authenticate'],
    challenges: ['lockAccount', 'voidAllOf', 'issue', 'holder', 'countAttempt', 'spend'],
    credentials: ['setPassword', 'renew', 'replacePasswordHash'],
    directory: ['accounts', 'members', 'organizations', 'auditEntries'],
    identities: ['use', 'list', 'link', 'holder', 'unlink'],
    mailedTokens: ['supersede', 'issue', 'issuedCount', 'holder', 'lockAccount', 'redeem'],
    passkeyChallenges: ['issue', 'spend'],
    passkeys: ['add', 'list', 'total', 'rename', 'remove', 'held', 'noteUse'],
    refreshTokens: ['add', 'tryLock', 'lockUser', 'lockSession', 'rotate', 'sessionOf'],
    retention: ['of', 'set', 'unset'],
    sessions: ['open', 'confirm', 'list', 'total', 'end', 'endLive', 'endSurplus', 'endAllOf', 'endAllBy', 'hasEnded'],
    signIns: ['noteNetwork', 'forgetNetworks', 'openSilently'],
    spentStates: ['spend'],
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
    unverifiedAccounts: ['remove'],
  }),
  ...read('zones', {
    backendHistory: ['list', 'total', 'byNumber', 'asOf'],
    banTokens: ['list', 'reseal'],
    basicAuthUsers: ['list', 'byId'],
    deletedZones: ['list', 'total', 'byId', 'state', 'revive'],
    history: ['add', 'list', 'total', 'byNumber', 'trail'],
    rules: ['list', 'byId'],
    zoneChanges: ['lockLoser', 'checkSoon', 'lock', 'queue', 'outside', 'hostNames', 'applySetAlone'],
    zones: ['add', 'count', 'head', 'read', 'state', 'whole', 'wholeById', 'remove'],
  }),
  ...read('review', {
    changeSets: ['add', 'byId', 'byIds', 'list', 'total', 'save', 'discard', 'noteMerges'],
    promotions: ['add', 'byId', 'list', 'total', 'lastApplied', 'openLike'],
  }),
  ...read('delivery', {
    edgeFeed: [
      'lock',
      'due',
      'addDocuments',
      'publish',
      'removeMarks',
      'markAll',
      'changes',
      'document',
      'status',
      'forgetDocuments',
      'forgetPublications',
      'forgetRemovals',
    ],
    edgeStates: ['record', 'forget', 'serving'],
    edges: ['add', 'list', 'enrol', 'byKeys', 'drain', 'remove'],
    rollouts: ['canaries', 'pending', 'promote', 'offered', 'noteCurrent'],
    zoneCredentials: ['hashes'],
  }),
};
