import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { RuleId } from '../../kernel/shared/ids.ts';
import { type JsonObject, jsonDocument, mergePatchBetween } from '../../kernel/shared/json.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import {
  type InvalidInput,
  invalidInput,
  requireNone,
  under,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { checkedDraft, contentsOfState, type WriteRank } from '../../zones/drafts/draft-check.ts';
import { draftBase, draftDocument } from '../../zones/drafts/draft-document.ts';
import { itemsIn, storedContents, type ZoneContents } from '../../zones/drafts/zone-contents.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import { ruleKindNames, ruleListNames } from '../../zones/rule-kinds/rule-lists.ts';
import { type Decide, decideIn, mapDecisionError } from '../../zones/zone-changes/decision.ts';
import { applyOperations } from './apply-operations.ts';
import type { ChangeSetContent } from './change-set.ts';
import { baseDocument } from './change-set-merge.ts';
import type { DraftBasis } from './change-set-write.ts';
import { ChosenRuleId, type Operation, tooManyOperations, type WrittenOperation } from './operation.ts';
import { violationsAtOperations } from './operation-paths.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/** The client-supplied content of a change set. */
export type WrittenContent =
  | { readonly patch: JsonObject }
  | {
      readonly operations: readonly WrittenOperation[];
      /** The operations as the client wrote them. */
      readonly texts: readonly JsonObject[];
    };

/** A parsed draft: the resulting document, and how to report its violations. */
interface WrittenDraft {
  readonly document: JsonObject;
  readonly rankOf?: WriteRank;
  readonly blame: (error: InvalidInput) => InvalidInput;
  readonly content: Pick<ChangeSetContent, 'patch' | 'operations'>;
}

/**
 * Builds the content of a change set on a revision of the zone (by default the current one) and validates it like a
 * write.
 */
export const contentOf = (
  { repositories, state, limits }: DraftBasis<ChangeSetRepositories>,
  randomness: Randomness,
  written: WrittenContent,
  base = state.zone.revision,
): ResultAsync<ChangeSetContent, InvalidInput> =>
  safeTry(async function* () {
    if ('operations' in written && written.operations.length > limits.operations) {
      return err(under('operations')(tooManyOperations(limits.operations)));
    }
    const document = yield* baseDocument(repositories, state, base).mapErr(() => invalidInput([noBase]));
    const known = draftBase(document);
    const draft = yield* 'patch' in written
      ? fromPatch(known, written.patch)
      : fromOperations(known, written, randomness);
    const decide: Decide<ZoneContents, InvalidInput> = (basis) =>
      checkedDraft(
        basis,
        draft.document,
        {
          document: known,
          contents: () => (base === state.zone.revision ? contentsOfState(state) : readable(document)),
        },
        draft.rankOf,
      )
        .mapErr(draft.blame)
        .map(mapDecisionError(draft.blame));
    yield* decideIn(repositories, { state, limits }, decide);
    return ok({ base, ...draft.content });
  });

const noBase = violation('base', 'revision.unknown', 'The zone has no such revision.');

/** The contents of a document, or undefined if some of it is no longer valid. */
const readable = (document: ZoneDocument): ZoneContents | undefined =>
  storedContents(document).match(
    (contents) => contents,
    () => undefined,
  );

const fromPatch = (base: ZoneDocument, patch: JsonObject): Result<WrittenDraft, InvalidInput> =>
  requireNone(upperCaseIds(patch))
    .andThen(() => draftDocument(base, patch))
    .map((document) => ({
      document,
      blame: under('patch'),
      content: { patch: jsonDocument(patch), operations: undefined },
    }))
    .mapErr(under('patch'));

/** Violations for rule ids that are not in lower case, as documents use them as member names. */
const upperCaseIds = (patch: JsonObject): readonly Violation[] =>
  ruleKindNames.flatMap((kind) => {
    const { [kind]: member } = ruleListNames;
    return Object.keys(itemsIn(patch[member])).flatMap((id) =>
      violationsUnder(`${member}.items.${id}`, ChosenRuleId.safeParse(id).success ? [] : [notChosen]),
    );
  });

const notChosen = violation('', 'rule.id', 'The id of a rule should be a UUID in lower case.');

function fromOperations(
  base: ZoneDocument,
  { operations: written, texts }: Extract<WrittenContent, { texts: unknown }>,
  randomness: Randomness,
): Result<WrittenDraft, InvalidInput> {
  const operations = written.map((each) => identified(each, randomness));
  return applyOperations(base, operations)
    .map(
      (document): WrittenDraft => ({
        document,
        rankOf: (kind, id) =>
          operations.findLastIndex(
            (each) => (each.op === 'create' || each.op === 'update') && each.kind === kind && each.id === id,
          ),
        blame: ({ violations }) => under('operations')(invalidInput(violationsAtOperations(violations, operations))),
        content: {
          patch: jsonDocument(mergePatchBetween(base, document)),
          operations: jsonDocument(texts.map((text, index) => withId(text, operations[index]))),
        },
      }),
    )
    .mapErr(under('operations'));
}

const identified = (operation: WrittenOperation, randomness: Randomness): Operation =>
  operation.op === 'create' ? { ...operation, id: operation.id ?? RuleId.parse(randomness.uuid()) } : operation;

/** The operation as written, with the id of the rule it creates. */
const withId = (text: JsonObject, operation: Operation | undefined): JsonObject =>
  operation?.op === 'create' ? { ...text, id: operation.id } : text;
