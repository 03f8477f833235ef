import { err, ok, Result } from 'neverthrow';
import { z } from 'zod';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { exactlyOnePlace, placesGiven, type RulePlace, rulePlaceMembers } from '../rules/rule-place.ts';
import { RuleId } from '../shared/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { coded, parse } from '../shared/parse.ts';
import { type InvalidInput, invalidInput, joined, under, violation } from '../shared/violation.ts';
import { usageLimits } from '../usage-limits/usage-limits.ts';

/**
 * A step of a change set; `members` are those of a rule or of the settings, or a merge patch (RFC 7396) on them. As it is
 * written, the id of a new rule may be missing.
 */
export type Operation<NewId = RuleId> =
  | {
      readonly op: 'create';
      readonly kind: RuleKind;
      readonly id: NewId;
      readonly members: JsonObject;
      readonly place: RulePlace;
    }
  | { readonly op: 'update'; readonly kind: RuleKind; readonly id: RuleId; readonly members: JsonObject }
  | { readonly op: 'delete'; readonly kind: RuleKind; readonly id: RuleId }
  | { readonly op: 'move'; readonly kind: RuleKind; readonly id: RuleId; readonly place: RulePlace }
  | { readonly op: 'settings'; readonly members: JsonObject };

/** An operation in which the service chooses the id of a new rule unless the client did. */
export type WrittenOperation = Operation<RuleId | undefined>;

/** The member of an operation, as it is written, that holds what is `members` of it here. */
export const memberNames = { create: 'value', update: 'patch', settings: 'patch' } as const;

/** A rule id that a client chooses: in lower case, because documents hold it as a name. */
export const ChosenRuleId = z
  .string()
  .refine((id) => id === id.toLowerCase(), coded('rule.id', 'The id of a rule should be a UUID in lower case.'))
  .pipe(RuleId);

const object = z.custom<JsonObject>(isJsonObject, coded('member.type', 'This value should be an object.'));
const isOrdered = (kind: RuleKind): boolean => ruleKinds[kind].isOrdered;
const kind = z.enum(ruleKindNames);
const orderedKind = z.enum(ruleKindNames.filter(isOrdered));

const atMostOnePlace = coded('rule.move.target', 'At most one of "before", "after" and "position" can be given.');

/** Each operation as it is written. */
const operationSchemas = {
  create: z
    .strictObject({ op: z.literal('create'), kind, id: ChosenRuleId.optional(), value: object, ...rulePlaceMembers })
    .refine((operation) => placesGiven(operation) <= 1, atMostOnePlace)
    .refine((operation) => placesGiven(operation) === 0 || isOrdered(operation.kind), {
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
    .strictObject({ op: z.literal('move'), kind: orderedKind, id: RuleId, ...rulePlaceMembers })
    .refine((operation) => placesGiven(operation) === 1, exactlyOnePlace)
    .transform(({ op, kind: of, id, ...place }): WrittenOperation => ({ op, kind: of, id, place })),
  settings: z
    .strictObject({ op: z.literal('settings'), patch: object })
    .transform(({ op, patch }): WrittenOperation => ({ op, members: patch })),
} as const;

const Op = z.object({ op: z.enum(['create', 'update', 'delete', 'move', 'settings']) });

/** How clients write what operations hold. */
export interface OperationReader {
  /** What is written of a rule, or of a patch of one, in the form in which it is stored. */
  readonly members: (op: 'create' | 'update', kind: RuleKind, written: JsonObject) => Result<JsonObject, InvalidInput>;
  /** The id in a reference. */
  readonly id: (reference: Json) => Json;
}

/** Checks operations as a client wrote them, each by itself; paths start at the place in the list. */
export function parseOperations(
  entries: readonly Json[],
  read: OperationReader,
): Result<readonly WrittenOperation[], InvalidInput> {
  const { ceiling } = usageLimits.operations;
  if (entries.length > ceiling) return err(tooManyOperations(ceiling));
  const operations = entries.map((entry, index) => parseOperation(entry, read).mapErr(under(`[${index}]`)));
  return Result.combineWithAllErrors(operations).mapErr(joined);
}

/** Why a change set has no room for its operations. */
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

/** The same operation with bare ids where it has references. */
const withIds = (entry: Json, { id }: OperationReader): Json =>
  isJsonObject(entry)
    ? Object.fromEntries(
        Object.entries(entry).map(([name, value]) => [name, references.includes(name) ? id(value) : value]),
      )
    : entry;
