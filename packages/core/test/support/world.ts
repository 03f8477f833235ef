import { createHash } from 'node:crypto';
import { analysesInThread } from '@zonewright/analysis';
import {
  type HostNameRules,
  type MailCap,
  noPublications,
  type OriginNetworks,
  type PasswordBlocklist,
  type UsageLimits,
  usageLimitsWith,
} from '@zonewright/core';
import {
  aProvider,
  countingOneTimeCodes,
  countingRandomness,
  MemoryUnitOfWork,
  memoryDns,
  plainBasicAuthPasswords,
  plainPasskeyCeremonies,
  plainPasswords,
  plainQrCodes,
  plainRecoveryCodeHashes,
  plainSealedFlows,
  plainTokenHashes,
  scriptedProviders,
  type Tables,
  unsignedAccessTokens,
} from '@zonewright/memory';

/** The SHA-256 of a byte string. */
export const sha256 = (bytes: string): string => createHash('sha256').update(bytes, 'latin1').digest('hex');

/** A clock that only the test moves. */
const aClock = () => {
  let milliseconds = Date.parse('2026-03-01T12:00:00Z');
  return {
    now: () => new Date(milliseconds),
    advance: (seconds: number) => {
      milliseconds += seconds * 1000;
    },
  };
};

const noBlocklist: PasswordBlocklist = { entries: undefined };
const mailCap: MailCap = { mailsPerHour: 3 };

const noNetworks: OriginNetworks = [];
const dnsRules: HostNameRules = { own: 'zonewright.example.net', verification: 'dns' };

/** Empty storage and all other dependencies of use cases, as in `useCase(world)`. With default limits. */
export const aWorld = (limits: Partial<UsageLimits> = {}, hostNameRules: HostNameRules = dnsRules) => {
  const clock = aClock();
  return {
    clock,
    unitOfWork: new MemoryUnitOfWork({ now: clock.now, limits: usageLimitsWith(limits), hostNameRules }),
    hostNameRules,
    publications: noPublications,
    originNetworks: noNetworks,
    dns: memoryDns(),
    analyses: analysesInThread(),
    passwords: plainPasswords(),
    basicAuthPasswords: plainBasicAuthPasswords(),
    accessTokens: unsignedAccessTokens(),
    randomness: countingRandomness(),
    tokenHashes: plainTokenHashes(),
    sha256,
    oneTimeCodes: countingOneTimeCodes({ now: clock.now }),
    qrCodes: plainQrCodes(),
    passkeyCeremonies: plainPasskeyCeremonies(),
    recoveryCodeHashes: plainRecoveryCodeHashes(),
    signInProviders: scriptedProviders([aProvider('corp'), aProvider('school', { domains: ['school.example'] })]),
    sealedFlows: plainSealedFlows(),
    blocklist: noBlocklist,
    cap: mailCap,
  };
};
export type World = ReturnType<typeof aWorld>;

/** Reads or changes stored rows directly, bypassing use cases. */
export function inTables<T>({ unitOfWork }: Pick<World, 'unitOfWork'>, work: (tables: Tables) => T): T {
  const results: T[] = [];
  unitOfWork.arrange((tables) => results.push(work(tables)));
  const [result] = results;
  return result as T;
}

/** A snapshot of everything stored. */
export const everythingIn = (world: World): Tables =>
  inTables(world, (tables) => {
    const copies = Object.entries(tables).map(([name, rows]) => [name, new Map<unknown, unknown>(rows)]);
    // Each name has a copy of its table.
    return Object.fromEntries(copies) as Tables;
  });

export const minutes = (count: number): number => count * 60;
export const hours = (count: number): number => minutes(count * 60);
export const days = (count: number): number => hours(count * 24);
