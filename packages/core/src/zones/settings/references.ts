import { namesAnswering } from '@zonewright/engine';
import type { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { type BackendReference, backendKind } from '../../organizations/backends/backend-reference.ts';
import type { BackendOrigin, PresentBackends } from '../../organizations/backends/ports.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';

/** The settings that refer to other things. */
export interface SettingsReferences {
  readonly defaultBackend?: BackendReference | undefined;
  readonly basicAuth?: { readonly enabled: boolean; readonly allowedUserIds: readonly BasicAuthUserId[] } | undefined;
}

/** The things that the settings of a zone and its rules refer to, if they exist. */
export interface ReferenceTargets {
  readonly backends: PresentBackends;
  readonly users: ReadonlySet<BasicAuthUserId>;
}

/** The backends that settings refer to. */
export const backendsIn = (settings: readonly SettingsReferences[]): readonly BackendReference[] =>
  settings.flatMap(({ defaultBackend }) => defaultBackend ?? []);

/** Whether a backend exists and has an enabled origin server. */
export const isUsable = ({ backends }: Pick<ReferenceTargets, 'backends'>, backend: BackendReference): boolean =>
  hasEnabledOrigin(backends[backendKind(backend)].get(backend.id) ?? []);

const hasEnabledOrigin = (origins: readonly BackendOrigin[]): boolean => origins.some(({ enabled }) => enabled);

/** What a zone answers for: origins with such an address would send its requests back to it. */
export interface Answering {
  readonly name: string;
  readonly hostnames: readonly HostName[];
}

/**
 * Violations for references of a zone's settings, or of a rule, that do not resolve or form a loop; paths start at the
 * settings.
 */
export const brokenReferences = (
  zone: Answering,
  { backends, users }: ReferenceTargets,
  settings: SettingsReferences,
): readonly Violation[] => [...backendViolations(zone, backends, settings), ...basicAuthViolations(settings, users)];

function backendViolations(
  zone: Answering,
  present: PresentBackends,
  { defaultBackend }: SettingsReferences,
): readonly Violation[] {
  if (defaultBackend === undefined) return [];
  const origins = present[backendKind(defaultBackend)].get(defaultBackend.id);
  return origins === undefined
    ? [violation('defaultBackend', 'backend.unknown', 'The organization has no such backend.')]
    : originViolations(zone, origins);
}

/** Violations for the origin servers of a backend that a zone uses. */
const originViolations = (zone: Answering, origins: readonly BackendOrigin[]): readonly Violation[] => [
  ...(hasEnabledOrigin(origins) ? [] : [noEnabledOrigin]),
  ...(origins.some(({ addressKey }) => isAddressOf(zone, addressKey)) ? [loop] : []),
];

const noEnabledOrigin = violation(
  'defaultBackend',
  'backend.noEnabledOrigin',
  'The load balancer has no enabled origin.',
);

const loop = violation(
  'defaultBackend',
  'backend.loop',
  'The zone answers for the address of the backend: requests would loop.',
);

const isAddressOf = ({ name, hostnames }: Answering, address: string): boolean =>
  address === nameKey(name) || hostnames.some((each) => namesAnswering(address).includes(each));

function basicAuthViolations(
  { basicAuth }: SettingsReferences,
  users: ReadonlySet<BasicAuthUserId>,
): readonly Violation[] {
  if (basicAuth === undefined) return [];
  const unknown = basicAuth.allowedUserIds.flatMap((id, index) => (users.has(id) ? [] : [unknownUser(index)]));
  return basicAuth.enabled && users.size === 0 ? [...unknown, noUser] : unknown;
}

const unknownUser = (index: number): Violation =>
  violation(`basicAuth.allowedUserIds[${index}]`, 'basicAuth.user.unknown', 'The zone has no such basic-auth user.');

const noUser = violation(
  'basicAuth.enabled',
  'basicAuth.noUser',
  'The zone has no basic-auth user, so no request could get through.',
);
