import { type Result } from 'neverthrow';
import { z } from 'zod';
import { BackendId } from '../backends/backend-reference.ts';
import { type JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import type { InvalidInput } from '../shared/violation.ts';

const Members = z.record(z.string(), z.json());

/**
 * Zones of an organization with the backends they may use, to be imported elsewhere. Ids only connect the parts: an import
 * gives what it creates ids of its own. Secrets (ban tokens, passwords of basic-auth users) are not part of it.
 */
export const TransferDocument = z.strictObject({
  format: z.literal('zonewright-export'),
  version: z.literal(1),
  /** Where it comes from, for people. */
  organization: z.string(),
  originServers: z.record(BackendId, Members),
  loadBalancers: z.record(BackendId, Members),
  /** Each as its history has it. */
  zones: z.array(Members),
});

/** The parts are checked when they are imported, each like what a client writes. */
export interface TransferDocument {
  readonly format: 'zonewright-export';
  readonly version: 1;
  readonly organization: string;
  readonly originServers: Readonly<Record<string, JsonObject>>;
  readonly loadBalancers: Readonly<Record<string, JsonObject>>;
  readonly zones: readonly JsonObject[];
}

/** Reads the frame of a document. */
export const parseTransferDocument = (input: unknown): Result<TransferDocument, InvalidInput> =>
  parse(TransferDocument, input);
