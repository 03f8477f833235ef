import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { type Edge, newEdgeKey } from './edge.ts';
import type { EnrolmentTokenInvalid } from './errors.ts';
import type { Edges } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly edges: Edges;
}

/** An enrolled edge. */
export interface EnrolledEdge extends Pick<Edge, 'id' | 'name'> {
  /** Its credential; it cannot be read again. */
  readonly key: string;
}

/** Exchanges an enrolment token, which can be used once, for the key of the edge. */
export const enrolEdge =
  ({
    unitOfWork,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (token: string, client: Client): ResultAsync<EnrolledEdge, EnrolmentTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const key = newEdgeKey(randomness);
        const edge = yield* repositories.edges.enrol(tokenHashes.of(token), tokenHashes.of(key));
        yield* recordFor(repositories, undefined, client, 'edge.enrolled', { edge: edge.name });
        return ok({ ...edge, key });
      }),
    );
