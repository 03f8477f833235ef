import { type Result } from 'neverthrow';
import { z } from 'zod';
import { type JsonObject } from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import { BackendId } from '../../organizations/backends/backend-reference.ts';

const Members = z.record(z.string(), z.json());

/**
 * Zones of an organization with the backends they may use, for import elsewhere. Ids only link the parts: an import
 * assigns new ones to what it creates. Secrets (ban tokens, passwords of basic-auth users) are not included.
 */
export const TransferDocument = z.strictObject({
  format: z.literal('zonewright-export'),
  version: z.literal(1),
  /** The name of the source organization, for people. */
  organization: z.string(),
  originServers: z.record(BackendId, Members),
  loadBalancers: z.record(BackendId, Members),
  /** Zone documents, as in history. */
  zones: z.array(Members),
});

/** The parts are validated on import, like client input. */
export interface TransferDocument {
  readonly format: 'zonewright-export';
  readonly version: 1;
  readonly organization: string;
  readonly originServers: Readonly<Record<string, JsonObject>>;
  readonly loadBalancers: Readonly<Record<string, JsonObject>>;
  readonly zones: readonly JsonObject[];
}

/** Validates the outer structure of a document. */
export const parseTransferDocument = (input: unknown): Result<TransferDocument, InvalidInput> =>
  parse(TransferDocument, input);
