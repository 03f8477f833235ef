import { err, ok, Result } from 'neverthrow';
import { z } from 'zod';
import { RuleId } from '../../kernel/shared/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/shared/json.ts';
import { coded, parse } from '../../kernel/shared/parse.ts';
import { type InvalidInput, invalidInput, joined, under, violation } from '../../kernel/shared/violation.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { type RuleKind, ruleKinds } from '../../zones/rule-kinds/rule-kinds.ts';
import { ruleKindNames } from '../../zones/rule-kinds/rule-lists.ts';
import {
  exactlyOnePlacement,
  placementCount,
  type RulePlacement,
  rulePlacementMembers,
} from '../../zones/rules/rule-placement.ts';

/**
 * A step of a change set; `members` holds the members of a rule or of the settings, or a merge patch (RFC 7396) on
 * them. In a request, the id of a new rule may be missing.
 */
export type Operation<NewId = RuleId> =
  | {
      readonly op: 'create';
      readonly kind: RuleKind;
      readonly id: NewId;
      readonly members: JsonObject;
      readonly place: RulePlacement;
    }
  | { readonly op: 'update'; readonly kind: RuleKind; readonly id: RuleId; readonly members: JsonObject }
  | { readonly op: 'delete'; readonly kind: RuleKind; readonly id: RuleId }
  | { readonly op: 'move'; readonly kind: RuleKind; readonly id: RuleId; readonly place: RulePlacement }
  | { readonly op: 'settings'; readonly members: JsonObject };

/** An operation as requested; the service assigns ids to new rules that have none. */
export type WrittenOperation = Operation<RuleId | undefined>;

/** The member of a requested operation that becomes `members`. */
export const memberNames = { create: 'value', update: 'patch', settings: 'patch' } as const;

/** A rule id chosen by the client; in lower case, because documents use it as a member name. */
export const ChosenRuleId = z
  .string()
  .refine((id) => id === id.toLowerCase(), coded('rule.id', 'The id of a rule should be a UUID in lower case.'))
  .pipe(RuleId);

const object = z.custom<JsonObject>(isJsonObject, coded('member.type', 'This value should be an object.'));
const isOrdered = (kind: RuleKind): boolean => ruleKinds[kind].isOrdered;
const kind = z.enum(ruleKindNames);
const orderedKind = z.enum(ruleKindNames.filter(isOrdered));

const atMostOnePlace = coded('rule.move.target', 'At most one of "before", "after" and "position" can be given.');

/** The schemas of requested operations. */
const operationSchemas = {
  create: z
    .strictObject({
      op: z.literal('create'),
      kind,
      id: ChosenRuleId.optional(),
      value: object,
      ...rulePlacementMembers,
    })
    .refine((operation) => placementCount(operation) <= 1, atMostOnePlace)
    .refine((operation) => placementCount(operation) === 0 || isOrdered(operation.kind), {
      ...coded('rule.move.target', 'Rules of this kind have no order.'),
      path: ['kind'],
    })
    .transform(
      ({ op, kind: of, id, value, ...place }): WrittenOperation => ({ op, kind: of, id, members: value, place }),
    ),
  update: z
    .strictObject({ op: z.literal('update'), kind, id: RuleId, patch: object })
    .transform(({ patch, ...operation }): WrittenOperation => ({ ...operation, members: patch })),
  delete: z.strictObject({ op: z.literal('delete'), kind, id: RuleId }),
  move: z
    .strictObject({ op: z.literal('move'), kind: orderedKind, id: RuleId, ...rulePlacementMembers })
    .refine((operation) => placementCount(operation) === 1, exactlyOnePlacement)
    .transform(({ op, kind: of, id, ...place }): WrittenOperation => ({ op, kind: of, id, place })),
  settings: z
    .strictObject({ op: z.literal('settings'), patch: object })
    .transform(({ op, patch }): WrittenOperation => ({ op, members: patch })),
} as const;

const Op = z.object({ op: z.enum(['create', 'update', 'delete', 'move', 'settings']) });

/** The representation of operations in requests. */
export interface OperationReader {
  /** Parses a rule, or a patch of one, into the form in which it is stored. */
  readonly members: (op: 'create' | 'update', kind: RuleKind, written: JsonObject) => Result<JsonObject, InvalidInput>;
  /** Extracts the id from a reference. */
  readonly id: (reference: Json) => Json;
}

/** Parses requested operations independently of each other; violation paths start at the index in the list. */
export function parseOperations(
  entries: readonly Json[],
  read: OperationReader,
): Result<readonly WrittenOperation[], InvalidInput> {
  const { ceiling } = usageLimits.operations;
  if (entries.length > ceiling) return err(tooManyOperations(ceiling));
  const operations = entries.map((entry, index) => parseOperation(entry, read).mapErr(under(`[${index}]`)));
  return Result.combineWithAllErrors(operations).mapErr(joined);
}

/** The violation when a change set has too many operations. */
export const tooManyOperations = (limit: number): InvalidInput =>
  invalidInput([violation('', 'list.tooLong', `This value should have at most ${limit} entries.`)]);

const parseOperation = (entry: Json, read: OperationReader): Result<WrittenOperation, InvalidInput> =>
  parse(Op, entry)
    .andThen(({ op }): Result<WrittenOperation, InvalidInput> => parse(operationSchemas[op], withIds(entry, read)))
    .andThen((operation): Result<WrittenOperation, InvalidInput> => {
      if (operation.op !== 'create' && operation.op !== 'update') return ok(operation);
      return read
        .members(operation.op, operation.kind, operation.members)
        .map((members) => ({ ...operation, members }))
        .mapErr(under(memberNames[operation.op]));
    });

const references: readonly string[] = ['id', 'before', 'after'];

/** The operation with references replaced by bare ids. */
const withIds = (entry: Json, { id }: OperationReader): Json =>
  isJsonObject(entry)
    ? Object.fromEntries(
        Object.entries(entry).map(([name, value]) => [name, references.includes(name) ? id(value) : value]),
      )
    : entry;
