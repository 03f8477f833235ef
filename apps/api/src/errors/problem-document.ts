import type { Problem } from '@zonewright/api-description';
import { type ApiError, type ProblemOverrides, problems } from '@zonewright/api-description';
import {
  type BasicAuthUserInUse,
  maxPageTextBytes,
  type PageTooLarge,
  type Violation,
  violation,
} from '@zonewright/core';
import { entityTag } from '../resources/entity-tag.ts';
import { backendUserIri, iri } from '../resources/iri.ts';

/** Builds the problem document of an error (RFC 9457 section 3) and its header fields. */
export function problemDocument(error: ApiError, overrides: ProblemOverrides = {}) {
  const { status, slug, title, detail, clears }: Problem = { ...problems[error.type], ...overrides[error.type] };
  return {
    status,
    clears,
    headers: headersOf(error, status),
    body: { type: `/errors/${slug}`, title, status, ...explained(error, detail) },
  };
}

function explained(error: ApiError, detail: string) {
  switch (error.type) {
    case 'InvalidInput':
    case 'InvalidQuery':
      return { detail: error.violations.map(asLine).join('\n') || detail, violations: error.violations };
    case 'MissingBodyMember': {
      const missing = { propertyPath: error.member, message: 'This member is required.', code: 'member.required' };
      return { detail: asLine(missing), violations: [missing] };
    }
    case 'PasswordTooCommon':
      return { detail, violations: [{ propertyPath: error.member, message: detail, code: 'password.common' }] };
    case 'WrongCurrentPassword':
      return { detail, violations: [{ propertyPath: 'currentPassword', message: detail, code: 'password.wrong' }] };
    case 'BackendInUse':
      return { detail, usedBy: error.users.map(backendUserIri) };
    case 'PageTooLarge': {
      const broken = violation('itemsPerPage', 'page.tooLarge', pageTooLargeMessage(error));
      return { detail: asLine(broken), violations: [broken], fits: error.fits };
    }
    case 'ConfirmationRequired':
      return { detail, methods: error.methods };
    case 'ProviderRequired':
      return { detail, provider: error.provider };
    case 'MergeConflicted':
      return { detail, conflicts: error.conflicts };
    case 'PermissionMissing':
      return { detail: lacking(error.permission), permission: error.permission };
    case 'TooManyRequests':
      return { detail: `Too many requests. Try again in ${seconds(error.retryAfterSeconds)}.` };
    case 'MalformedBody':
      return { detail: error.reason };
    case 'NotAcceptable':
    case 'UnsupportedMediaType':
      return { detail: `${detail} Supported: ${error.supported.join(', ')}.` };
    case 'BasicAuthUserInUse':
      return { detail, usedBy: basicAuthUserUsers(error) };
    default:
      return { detail };
  }
}

const lacking = (permission: string): string => `The API token lacks the permission ${permission}.`;

const seconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

/** The rules that refer to the user, and the zone if its settings do. */
const basicAuthUserUsers = ({ zone, usedBy: { settings, rules } }: BasicAuthUserInUse): readonly string[] => [
  ...(settings ? [iri.zone(zone)] : []),
  ...rules.map((id) => iri.rule({ zoneId: zone, kind: 'configurationRule', id })),
];

const pageTooLargeMessage = ({ fits }: PageTooLarge): string =>
  `The items of this page exceed ${maxPageTextBytes} bytes. Only the first ${fits} fit.`;

const asLine = ({ propertyPath, message }: Violation): string =>
  propertyPath === '' ? message : `${propertyPath}: ${message}`;

function headersOf(error: ApiError, status: number): Readonly<Record<string, string>> {
  if (error.type === 'MethodNotAllowed') return { Allow: error.allow };
  // `If-Match` accepts the tag of either flavour.
  if (error.type === 'VersionMismatch') return { ETag: entityTag(error.current, 'plain') };
  if ('retryAfterSeconds' in error) return { 'Retry-After': String(error.retryAfterSeconds) };
  return status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
}
