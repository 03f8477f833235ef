/** The public surface of the configuration: nothing else can be imported from outside. */

export {
  type Config,
  describeConfigError,
  loadConfig,
  type MailSender,
  type RateLimit,
  type RateLimitName,
  StartupError,
  unknownVariables,
  warningsOf,
} from './config.ts';
export type { ConfigError } from './config-error.ts';
export { cryptography, secretBoxes } from './cryptography.ts';
export { currentKey, ringOf } from './key-rings.ts';
export {
  addRing,
  changeRing,
  createKeys,
  type KeyPurpose,
  type KeyRing,
  type Keys,
  keyPurposes,
  newKey,
  openKeys,
} from './keys-file.ts';
export { listen, listenError } from './listen.ts';
export type { MailPages } from './mail-pages.ts';
export { makeFolder } from './make-folder.ts';
export { readPasswordBlocklist } from './password-blocklist.ts';
export { type ProviderEntry, readProviders } from './providers-file.ts';
export { usageLimitVariable } from './usage-limit-variables.ts';
export { version } from './version.ts';
