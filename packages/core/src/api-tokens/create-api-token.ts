import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { Dependencies } from '../repositories.ts';
import { ApiTokenId } from '../shared/ids.ts';
import { type InvalidInput, invalidInput, type Violation, violation } from '../shared/violation.ts';
import { isFull, type Usage } from '../usage-limits/usage-limits.ts';
import { type ApiToken, type ApiTokenDraft, displayPrefix, newApiToken, type PlainApiToken } from './api-token.ts';
import type { ApiTokenNameTaken, ExpiryInThePast } from './errors.ts';

/** A new token with its secret, which is returned only here. */
export interface CreatedApiToken {
  readonly token: ApiToken;
  /** Show it once; it cannot be read again. */
  readonly plainToken: PlainApiToken;
}

/** Creates an API token for the caller, limited to organizations they belong to. */
export const createApiToken =
  ({ unitOfWork, randomness, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: SessionCaller,
    { name, readOnly, organizations, expiresAt }: ApiTokenDraft,
  ): ResultAsync<CreatedApiToken, InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const foreign = foreignOrganizations(caller, organizations);
        if (foreign.length > 0) return err(invalidInput(foreign));
        const { apiTokens } = repositories;
        const active = yield* apiTokens.lockActive(caller.userId);
        if (isFull(active)) return err(tooManyTokens(active));
        const plainToken = newApiToken(randomness);
        const added = apiTokens.add({
          id: ApiTokenId.parse(randomness.uuid()),
          userId: caller.userId,
          hash: tokenHashes.of(plainToken),
          name,
          prefix: displayPrefix(plainToken),
          readOnly,
          organizations: [...new Set(organizations)],
          expiresAt: expiresAt ?? undefined,
        });
        const token = yield* added.mapErr(refused);
        yield* record(repositories, caller, 'apiToken.created', { objects: { apiToken: token.id } });
        yield* notify(repositories, caller.userId, 'api-token-created', caller.client);
        return ok({ token, plainToken });
      }),
    );

const foreignOrganizations = ({ memberships }: SessionCaller, wanted: ApiTokenDraft['organizations']): Violation[] =>
  wanted.flatMap((id, index) =>
    memberships.has(id)
      ? []
      : [violation(`organizations[${index}]`, 'organization.foreign', 'You are not a member of this organization.')],
  );

const tooManyTokens = ({ limit }: Usage): InvalidInput =>
  invalidInput([violation('', 'apiToken.limit', `A user can have at most ${limit} active API tokens.`)]);

function refused(error: ApiTokenNameTaken | ExpiryInThePast): InvalidInput {
  switch (error.type) {
    case 'ApiTokenNameTaken':
      return invalidInput([
        violation('name', 'apiToken.name.duplicate', 'You already have an API token with this name.'),
      ]);
    case 'ExpiryInThePast':
      return invalidInput([violation('expiresAt', 'date.past', 'This value should be in the future.')]);
  }
}
