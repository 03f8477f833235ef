/**
 * The order of the workspace: which packages each package imports, and the floors of its folders.
 */

/** The workspace packages that the sources of each package and app import. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'apps/api': [
    'analysis',
    'configuration',
    'core',
    'crypto',
    'dns',
    'gate',
    'postgres',
    'postgres-operations',
    'site',
    'smtp',
  ],
  'apps/bench': ['core', 'dev-postgres', 'engine', 'postgres'],
  'apps/cli': ['configuration', 'core', 'crypto', 'postgres', 'postgres-operations', 'smtp'],
  'apps/site': [],
  'packages/analysis': ['core', 'engine', 'gate'],
  'packages/configuration': ['core', 'crypto'],
  'packages/contract-tests': ['core', 'memory'],
  'packages/core': ['engine'],
  'packages/crypto': ['core', 'gate'],
  'packages/dev-postgres': [],
  'packages/dns': ['core'],
  'packages/engine': [],
  'packages/gate': [],
  'packages/memory': ['core'],
  'packages/postgres': ['core', 'gate'],
  'packages/postgres-operations': ['core', 'postgres'],
  'packages/smtp': ['core'],
};

/** The same for packages loaded on demand, so that an installation can omit them. */
export const loadedOnDemand: Readonly<Record<string, readonly string[]>> = {
  'apps/api': ['dev-postgres'],
  'apps/cli': ['dev-postgres'],
};

/**
 * The floors of each folder that contains folders, from the bottom up: a folder, or a file that folders import, by its
 * name. Each may import those before it. Files that are not listed are above them all, so that no folder imports them.
 * The linter detects cycles between files (`import/no-cycle`, including types).
 */
export const floors: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src': [
    'shared',
    'usage-limits',
    'access',
    'audit',
    'organizations',
    'mail',
    'accounts',
    'address-changes',
    'two-factor',
    'sessions',
    'api-tokens',
    'invitations',
    'administration',
    'backends',
    'domains',
    'settings',
    'conditions',
    'rule-kinds',
    'history',
    'merging',
    'basic-auth',
    'zones',
    'zone-changes',
    'rules',
    'drafts',
    'basic-auth-users',
    'revisions',
    'deleted-zones',
    'evaluation',
    'change-sets',
    'promotions',
    'findings',
    'transfer',
    'rate-limits',
    'idempotency',
    'expiry',
  ],
  'packages/engine/src': [
    'outcome.ts',
    'memoized.ts',
    'mutable.ts',
    'problem.ts',
    'shapes.ts',
    'addresses',
    'patterns',
    'request',
    'conditions',
    'settings',
    'configuration',
    'rewrites',
    'cache',
    'phases',
    'evaluation',
  ],
  'packages/gate/src': ['threads'],
  'packages/analysis/src': ['texts', 'solver', 'findings', 'behaviour', 'threads'],
  'apps/api/src': [
    'mailer.ts',
    'tracing',
    'processes',
    'storage.ts',
    'workers',
    'resources',
    'errors',
    'limits',
    'http',
    'threads',
    'description',
    'site',
    'present',
    'routes',
  ],
  'apps/api/src/description': ['words.ts', 'model.ts', 'linked-data', 'openapi'],
  'apps/cli/src': [
    'failure.ts',
    'batches.ts',
    'installation.ts',
    'report.ts',
    'terminal.ts',
    'postgres-tools.ts',
    'private-file.ts',
    'commands',
  ],
};

/** The set of all repositories that a use case is given: it names the ports of every folder above `shared`. */
export const namedByAll = { file: 'packages/core/src/repositories.ts', except: 'packages/core/src/shared/' };
