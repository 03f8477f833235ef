import { type DomainError, type ExpectedVersions, requireVersion, type Version } from '@zonewright/core';
import type { Context } from 'koa';
import { ok, type Result } from 'neverthrow';
import { transferredTag, versionNamed, versionOf } from './entity-tag.ts';
import type { Answer } from './route.ts';

/** The header fields of a request. */
type Asked = Pick<Context, 'get'>;

const listed = (header: string): string[] => header.split(',').map((tag) => tag.trim());
const namesAny = (header: string): boolean => header.trim() === '*';

const versionsIn = (header: string): readonly Version[] => listed(header).flatMap((tag) => versionNamed(tag) ?? []);

/** The versions `If-Match` accepts; undefined when there is no such condition. */
const matched = (ifMatch: string): readonly Version[] | undefined =>
  ifMatch === '' || namesAny(ifMatch) ? undefined : versionsIn(ifMatch);

/**
 * The versions that a write may change: those in `If-Match`, without those in `If-None-Match` (RFC 9110 section 13.2.2).
 * What is written to exists, so no version of it meets `If-None-Match: *`.
 */
export function expectedVersions(asked: Asked): ExpectedVersions {
  const [accepted, unwanted] = [matched(asked.get('If-Match')), asked.get('If-None-Match')];
  if (unwanted === '') return accepted;
  if (namesAny(unwanted)) return [];
  const except = versionsIn(unwanted);
  return accepted?.filter((version) => !except.includes(version)) ?? { except };
}

/** Refuses to show another version than `If-Match` asks for (RFC 9110 section 13.1.1). What has none is always shown. */
export function requireMatch(asked: Asked, body: Answer['body']): Result<void, DomainError> {
  const accepted = matched(asked.get('If-Match'));
  const version = accepted === undefined ? undefined : versionOf(body);
  return version === undefined ? ok() : requireVersion(accepted, version);
}

/**
 * The tag by which `If-None-Match` names the representation: the client has it already (weak comparison, RFC 9110 section
 * 13.1.2). Undefined when it does not.
 */
export function knownTag(asked: Asked, tag: string): string | undefined {
  const known = asked.get('If-None-Match');
  return namesAny(known) ? tag : listed(known).find((each) => transferredTag(each) === tag);
}
