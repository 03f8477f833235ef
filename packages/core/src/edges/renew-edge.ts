import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Operator } from '../administration/record-operator.ts';
import { recordFor } from '../audit/record.ts';
import type { OrganizationNotFound } from '../organizations/errors.ts';
import type { Dependencies } from '../repositories.ts';
import { addedEdge, type EdgeDraft } from './administer-edges.ts';
import type { EdgeNameTaken } from './errors.ts';

/**
 * Prepares the start of an edge whose program does not run. If the key that it has is good, it goes on with it;
 * otherwise it becomes a new edge, in place of any other of its name. Resolves to the enrolment token of a new one.
 */
export const renewEdge =
  ({ unitOfWork, ...tokens }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
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
