import { type DomainError, type ExpectedVersions, requireVersion, type Version } from '@zonewright/core';
import type { Context } from 'koa';
import { ok, type Result } from 'neverthrow';
import { transferredTag, versionNamed, versionOf } from '../resources/entity-tag.ts';
import type { Answer } from './answer.ts';

type RequestFields = Pick<Context, 'get'>;

const listed = (header: string): string[] => header.split(',').map((tag) => tag.trim());
const namesAny = (header: string): boolean => header.trim() === '*';

const versionsIn = (header: string): readonly Version[] => listed(header).flatMap((tag) => versionNamed(tag) ?? []);

/** The versions that `If-Match` accepts; undefined without such a condition. */
const matched = (ifMatch: string): readonly Version[] | undefined =>
  ifMatch === '' || namesAny(ifMatch) ? undefined : versionsIn(ifMatch);

/**
 * The versions a write may change: those in `If-Match`, minus those in `If-None-Match` (RFC 9110 section 13.2.2). The
 * target exists, so `If-None-Match: *` matches no version.
 */
export function expectedVersions(request: RequestFields): ExpectedVersions {
  const [accepted, unwanted] = [matched(request.get('If-Match')), request.get('If-None-Match')];
  if (unwanted === '') return accepted;
  if (namesAny(unwanted)) return [];
  const except = versionsIn(unwanted);
  return accepted?.filter((version) => !except.includes(version)) ?? { except };
}

/**
 * Fails when the representation's version is not in `If-Match` (RFC 9110 section 13.1.1). Bodies without a version
 * always pass.
 */
export function requireMatch(request: RequestFields, body: Answer['body']): Result<void, DomainError> {
  const accepted = matched(request.get('If-Match'));
  const version = accepted === undefined ? undefined : versionOf(body);
  return version === undefined ? ok() : requireVersion(accepted, version);
}

/**
 * The tag in `If-None-Match` that matches, meaning the client already has the representation (weak comparison, RFC 9110
 * section 13.1.2).
 */
export function knownTag(request: RequestFields, tag: string): string | undefined {
  const field = request.get('If-None-Match');
  return namesAny(field) ? tag : listed(field).find((each) => transferredTag(each) === tag);
}
