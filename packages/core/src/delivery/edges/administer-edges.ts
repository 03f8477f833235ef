import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Operator } from '../../accounts/administration/record-operator.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { EdgeId, type ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import { type Edge, type EdgeIdentity, type EdgeName, enrolmentLifetimeSeconds, newEnrolmentToken } from './edge.ts';
import { type EdgeNameTaken, type EdgeNotFound, type NothingToRelease, nothingToRelease } from './errors.ts';
import type { EdgeStates, Edges, ListedEdge, Rollouts } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly edgeStates: EdgeStates;
  readonly edges: Edges;
  readonly organizations: Organizations;
  readonly rollouts: Rollouts;
}

type Storage = { readonly unitOfWork: UnitOfWork<Repositories> };
type Tokens = Pick<Dependencies, 'randomness' | 'tokenHashes'>;

/** An edge to add. */
export type EdgeDraft = Omit<EdgeIdentity, 'id'>;

/** A new edge, and the token with which it enrols; the token cannot be read again. */
export interface AddedEdge {
  readonly edge: Edge;
  readonly token: string;
}

/** Adds an edge. Its organizations must exist. */
export const addEdge =
  ({ unitOfWork, ...tokens }: Storage & Tokens) =>
  (operator: Operator, draft: EdgeDraft): ResultAsync<AddedEdge, EdgeNameTaken | OrganizationNotFound> =>
    unitOfWork.run((repositories) => addedEdge(repositories, tokens, operator, draft));

/** The same, inside of a unit. */
const addedEdge = (
  repositories: Repositories,
  { randomness, tokenHashes }: Tokens,
  operator: Operator,
  draft: EdgeDraft,
): ResultAsync<AddedEdge, EdgeNameTaken | OrganizationNotFound> =>
  safeTry(async function* () {
    for (const organization of draft.organizations) yield* repositories.organizations.lock(organization);
    const token = newEnrolmentToken(randomness);
    const edge = yield* repositories.edges.add({
      ...draft,
      id: EdgeId.parse(randomness.uuid()),
      tokenHash: tokenHashes.of(token),
      lifetimeSeconds: enrolmentLifetimeSeconds,
    });
    yield* recordFor(repositories, undefined, operator, 'edge.added', { edge: edge.name });
    return ok({ edge, token });
  });

/** All edges with their last reports, ordered by name. */
export const listEdges =
  ({ unitOfWork }: Storage) =>
  (): ResultAsync<readonly ListedEdge[], never> =>
    unitOfWork.view(({ edges }) => edges.list());

/** An edge with its last report. */
export const readEdge =
  ({ unitOfWork }: Storage) =>
  (name: EdgeName): ResultAsync<ListedEdge, EdgeNotFound> =>
    unitOfWork.view(({ edges }) => edges.byName(name));

/** Stops or resumes counting on an edge; it goes on serving. */
export const drainEdge =
  ({ unitOfWork }: Storage) =>
  (operator: Operator, name: EdgeName, isDraining: boolean): ResultAsync<void, EdgeNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.edges
        .drain(name, isDraining)
        .andThen(() =>
          recordFor(repositories, undefined, operator, isDraining ? 'edge.drained' : 'edge.undrained', { edge: name }),
        ),
    );

/** Removes an edge. It goes on serving what it has, and is refused from now on. */
export const removeEdge =
  ({ unitOfWork }: Storage) =>
  (operator: Operator, name: EdgeName): ResultAsync<void, EdgeNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.edges
        .remove(name)
        .andThen(() => recordFor(repositories, undefined, operator, 'edge.removed', { edge: name })),
    );

/** Offers all edges the change of a zone that waits for canary edges, or was halted by one. */
export const releaseZone =
  ({ unitOfWork }: Storage) =>
  (operator: Operator, zone: ZoneId): ResultAsync<void, NothingToRelease> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { rollouts } = repositories;
        const pending = yield* rollouts.pendingOf(zone);
        if (pending === undefined) return err(nothingToRelease());
        yield* rollouts.promote([zone]);
        yield* recordFor(repositories, undefined, operator, 'edge.released', { zone });
        return ok();
      }),
    );

/**
 * Prepares the start of an edge whose program does not run. If the key that it has is good, it goes on with it;
 * otherwise it becomes a new edge, in place of any other of its name. Resolves to the enrolment token of a new one.
 */
export const renewEdge =
  ({ unitOfWork, ...tokens }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    operator: Operator,
    draft: EdgeDraft,
    key: string | undefined,
  ): ResultAsync<string | undefined, EdgeNameTaken | OrganizationNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { edges, edgeStates } = repositories;
        const hash = key === undefined ? [] : [tokens.tokenHashes.of(key)];
        const [known] = (yield* edges.byKeys(hash)).values();
        if (known !== undefined) {
          yield* edgeStates.forget(known.id);
          return ok(undefined);
        }
        const replaced = await edges.remove(draft.name);
        if (replaced.isOk()) yield* recordFor(repositories, undefined, operator, 'edge.removed', { edge: draft.name });
        const { token } = yield* addedEdge(repositories, tokens, operator, draft);
        return ok(token);
      }),
    );
