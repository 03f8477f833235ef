import {
  addRing,
  type ConfigError,
  changeRing,
  createKeys,
  describeConfigError,
  type KeyPurpose,
  type KeyRing,
  keyPurposes,
  newKey,
} from '@zonewright/configuration';
import { keyUses, resealBanTokens, resealSecrets } from '@zonewright/postgres';
import { err, ok, type Result } from 'neverthrow';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** Lists key rings and key names, never the keys themselves. */
export async function listKeys({ keys }: Pick<Installation, 'keys'>): Promise<Report> {
  const rings = keyPurposes.map((ring) => ({
    ring,
    current: keys[ring].current,
    keys: keys[ring].keys.map(({ kid }) => kid),
  }));
  const rows = rings.map(({ ring, current, keys: kids }) => [ring, current, kids.join(' ')]);
  return { json: rings, lines: table(['ring', 'current', 'keys'], rows) };
}

/** Creates the keys file, once. */
export async function createKeysFile({ config: { keysFile } }: Pick<Installation, 'config'>): Promise<Report> {
  done(createKeys(keysFile));
  return {
    json: { file: keysFile },
    lines: [
      `Created ${keysFile}. Its owner must be the user of the service, and back it up: without it, backups are useless.`,
    ],
  };
}

/** Adds a ring that the file of an older version lacks. */
export async function addKeyRing(
  { config }: Pick<Installation, 'config'>,
  { ring }: { readonly ring: KeyPurpose },
): Promise<Report> {
  const kid = done(addRing(config.keysFile, ring));
  return { json: { ring, kid }, lines: [`Added the ring ${ring} with the key ${kid}. ${restart}`] };
}

const restart = 'Copy the file to every instance, and restart them one after another.';

/**
 * Adds a key to a ring and makes it current. With `keepCurrent` it can only be used for reading at first: several
 * instances must all know a key before any of them writes with it.
 */
export async function rotateKey(
  { config }: Pick<Installation, 'config'>,
  { ring, keepCurrent }: { readonly ring: KeyPurpose; readonly keepCurrent: boolean },
): Promise<Report> {
  const added = newKey();
  change(config.keysFile, ring, ({ current, keys }) =>
    ok({ current: keepCurrent ? current : added.kid, keys: [...keys, added] }),
  );
  const next = keepCurrent ? `${restart} Then run "zonewright keys use ${ring} ${added.kid}".` : restart;
  return {
    json: { ring, kid: added.kid, isCurrent: !keepCurrent },
    lines: [`Added key ${added.kid} to ${ring}. ${next}`],
  };
}

/** Makes a key the current one of its ring. */
export async function useKey(
  { config }: Pick<Installation, 'config'>,
  { ring, kid }: { readonly ring: KeyPurpose; readonly kid: string },
): Promise<Report> {
  change(config.keysFile, ring, ({ keys }) => ok({ current: kid, keys }));
  return { json: { ring, current: kid }, lines: [`New values of ${ring} now use ${kid}. ${restart}`] };
}

/** Re-encrypts two-factor secrets and ban tokens with the current keys. */
export async function reseal({ database, boxes }: Installation): Promise<Report> {
  const resealed = (await resealSecrets(database, boxes.totp)) + (await resealBanTokens(database, boxes.banTokens));
  return { json: { resealed }, lines: [`Encrypted ${resealed} secrets and ban tokens with the current keys.`] };
}

/** Removes an unused key, after confirmation. */
export async function removeKey(
  { config, database, keys: rings }: Installation,
  { ring, kid }: { readonly ring: KeyPurpose; readonly kid: string },
  terminal: Terminal,
): Promise<Report> {
  if (!rings[ring].keys.some((key) => key.kid === kid)) throw new CommandFailure([`${ring} has no key ${kid}.`]);
  const uses = { jwt: 0, limiter: 0, flows: 0, ...(await keyUses(database, kid)) }[ring];
  if (uses > 0) throw new CommandFailure([`${uses} stored values of ${ring} need the key ${kid}.`, advice[ring]]);
  await terminal.confirm(`Remove the key ${kid} of ${ring}? ${advice[ring]}`);
  change(config.keysFile, ring, ({ current, keys }) =>
    current === kid ? err(`uses ${kid} for new values`) : ok({ current, keys: keys.filter((key) => key.kid !== kid) }),
  );
  return { json: { ring, removed: kid }, lines: [`Removed the key ${kid} of ${ring}. ${restart}`] };
}

const advice: Readonly<Record<KeyPurpose, string>> = {
  jwt: 'Access tokens that it signed will be refused; they are valid for 15 minutes.',
  totp: '"zonewright keys reseal" encrypts them with the current key.',
  recovery: 'They disappear when their users create new recovery codes.',
  outbox: 'They disappear when the mails are delivered or given up, within four hours.',
  idempotency: 'They disappear within 24 hours.',
  banTokens: '"zonewright keys reseal" encrypts them with the current key.',
  flows: 'Sign-ins by provider that are under way have to begin again.',
  limiter: 'Rate limits do not depend on keys that are not current.',
};

function change(path: string, ring: KeyPurpose, to: (ring: KeyRing) => Result<KeyRing, string>): void {
  done(changeRing(path, ring, to));
}

/** What a change of the file resolves to, or a failure with a line for each error. */
const done = <T>(changed: Result<T, readonly ConfigError[]>): T =>
  changed.match(
    (value) => value,
    (errors) => {
      throw new CommandFailure(errors.map(describeConfigError), exitCodes.misused);
    },
  );
