import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { under } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { OrganizationAccessError } from '../../organizations/organizations/organization-access.ts';
import { readBackends } from '../evaluation/backends.ts';
import { type ImportedBackend, importLoadBalancers, importOriginServers } from './import-backends.ts';
import type { ImportDependencies, ImportOptions, ImportTarget } from './import-target.ts';
import { type ImportedZone, type ImportZoneError, importZone } from './import-zone.ts';
import type { TransferDocument } from './transfer-document.ts';

/** What an import did, or would do, with each part of a document. */
export interface ImportResult {
  readonly originServers: readonly ImportedBackend[];
  readonly loadBalancers: readonly ImportedBackend[];
  readonly zones: readonly ImportedZone[];
}

/** Any of the writes that make up an import was refused. */
export type ImportError = ImportZoneError | OrganizationAccessError;

/** The result of a rehearsal, which rolls back what led to it. */
interface Rehearsed {
  readonly type: 'Rehearsed';
  readonly result: ImportResult;
}

/**
 * Imports zones of a document into an organization, with the backends it lacks, atomically: each part is validated and
 * recorded like a write of the caller. Backends are matched by id or, on request, by name, and existing ones stay
 * unchanged. Created zones get new ids and ban tokens. Basic-auth users get a hash that no password matches, until a
 * password is set.
 */
export const importZones =
  (dependencies: ImportDependencies) =>
  (
    caller: Caller,
    organization: OrganizationId,
    document: TransferDocument,
    given: Partial<ImportOptions> = {},
  ): ResultAsync<ImportResult, ImportError> => {
    const options = { ...noOptions, ...given };
    return dependencies.unitOfWork
      .atomically(() =>
        dependencies.unitOfWork
          .view((repositories) => readBackends(repositories, organization))
          .andThen((present) =>
            importAll({ dependencies, caller, organization, options, present, ids: new Map() }, document),
          )
          .andThen((result) =>
            options.isRehearsal ? err<never, Rehearsed>({ type: 'Rehearsed', result }) : ok(result),
          ),
      )
      .orElse((error) => (error.type === 'Rehearsed' ? ok(error.result) : err(error)));
  };

const noOptions: ImportOptions = { reuseBackends: false, update: false, isRehearsal: false };

const importAll = (target: ImportTarget, document: TransferDocument): ResultAsync<ImportResult, ImportError> =>
  safeTry(async function* () {
    const originServers = yield* importOriginServers(target, document.originServers);
    const loadBalancers = yield* importLoadBalancers(target, document.loadBalancers);
    const zones: ImportedZone[] = [];
    for (const [index, zone] of document.zones.entries()) {
      zones.push(yield* importZone(target, zone).mapErr(inZone(index)));
    }
    return ok({ originServers, loadBalancers, zones });
  });

/** Prefixes violation paths with the place of the zone. */
const inZone =
  (index: number) =>
  (error: ImportZoneError): ImportZoneError =>
    error.type === 'InvalidInput' ? under(`zones[${index}]`)(error) : error;
