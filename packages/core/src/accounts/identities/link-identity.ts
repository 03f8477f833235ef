import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { IdentityId } from '../../kernel/shared/ids.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import { record } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import {
  type DomainNotAllowed,
  type FlowInvalid,
  flowInvalid,
  type IdentityTaken,
  type NoVerifiedAddress,
  type ProviderAlreadyLinked,
} from './errors.ts';
import { identityActions, requireAdmitted } from './identity.ts';
import type { IdentityRepositories } from './repositories.ts';
import type { Attested } from './sign-in.ts';

/** Why an identity that a provider attests is not linked. */
export type LinkError = NoVerifiedAddress | DomainNotAllowed | IdentityTaken | ProviderAlreadyLinked | FlowInvalid;

/** Links an identity that a provider has attested to the caller's account. Linking it again changes nothing. */
export const linkIdentity = (
  { unitOfWork, randomness }: Pick<Dependencies<IdentityRepositories>, 'unitOfWork' | 'randomness'>,
  caller: SessionCaller,
  { provider, attestation }: Attested,
): ResultAsync<void, LinkError> =>
  requireAdmitted(provider, attestation).asyncAndThen(() =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { userId } = caller;
        yield* repositories.credentials.lockBy(userId, caller.credential.id).mapErr(sessionEnded);
        const { issuer, subject, email } = attestation;
        const id = IdentityId.parse(randomness.uuid());
        const identity = { id, userId, provider: provider.id, issuer, subject, email };
        if (!(yield* repositories.identities.link(identity))) return ok();
        const objects = { identity: id, provider: provider.id };
        yield* record(repositories, caller, identityActions.linked, { objects });
        return notify(repositories, userId, 'provider-linked', caller.client);
      }),
    ),
  );

const sessionEnded = (): FlowInvalid => flowInvalid('the session that began the flow has ended');
