import { err, errAsync, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { ProviderId } from '../../kernel/shared/ids.ts';
import { callerFrom, isSessionCaller, type SessionCaller } from '../../organizations/access/caller.ts';
import type { CallerStorage } from '../../organizations/access/ports.ts';
import type { AccessTokens } from '../sessions/ports.ts';
import type { AccessClaims } from '../sessions/session.ts';
import type { LoggedIn } from '../sign-in/log-in.ts';
import { type FlowInvalid, flowInvalid, type ProviderNotFound } from './errors.ts';
import type { AuthorizationAnswer, ReturnPath, SignInFlow } from './flow.ts';
import { providerById } from './identity.ts';
import { type LinkError, linkIdentity } from './link-identity.ts';
import type { NoAttestation, SealedFlows, SignInProviders } from './ports.ts';
import type { IdentityRepositories } from './repositories.ts';
import { type Attested, type SignInError, signInBy } from './sign-in.ts';

/** A browser that comes back from a provider. */
export interface FlowReturn {
  /** The provider whose address the browser came back to. */
  readonly provider: ProviderId;
  /** What `StartedFlow` gave the browser to keep. */
  readonly sealed: string | undefined;
  readonly answer: AuthorizationAnswer;
  /** The access token of the browser's session, if it has one. */
  readonly accessToken: string | undefined;
}

/** Where the browser goes on, and how it is signed in; undefined: as before, the identity is linked now. */
export interface CompletedFlow {
  readonly returnTo: ReturnPath;
  readonly loggedIn: LoggedIn | undefined;
}

export type CompleteFlowError = FlowInvalid | ProviderNotFound | NoAttestation | SignInError | LinkError;

type CompletionPorts = Pick<Dependencies<IdentityRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'> & {
  readonly accessTokens: AccessTokens;
  readonly sealedFlows: SealedFlows;
  readonly signInProviders: SignInProviders;
} & { readonly unitOfWork: CallerStorage };

/**
 * Completes a flow, once: its state is spent before the code is redeemed, whatever comes of it. A flow of one provider
 * is not completed by another, which is the defence against mix-up (RFC 9700 section 4.4).
 */
export const completeFlow =
  (ports: CompletionPorts) =>
  (back: FlowReturn, client: Client): ResultAsync<CompletedFlow, CompleteFlowError> =>
    safeTry(async function* () {
      const { unitOfWork, signInProviders, tokenHashes } = ports;
      const flow = yield* flowOf(ports, back);
      const provider = yield* providerById(signInProviders.all, flow.provider);
      yield* unitOfWork.single(({ spentStates }) => spentStates.spend(tokenHashes.of(flow.state)));
      const caller = flow.linking && (yield* linkingCaller(ports, flow.linking, back, client));
      const attestation = yield* signInProviders.attest(provider.id, back.answer, flow);
      return completed(ports, flow, caller, { provider, attestation }, client);
    });

const completed = (
  ports: CompletionPorts,
  { returnTo }: SignInFlow,
  caller: SessionCaller | undefined,
  attested: Attested,
  client: Client,
): ResultAsync<CompletedFlow, SignInError | LinkError> =>
  caller === undefined
    ? signInBy(ports, attested, client).map((loggedIn) => ({ returnTo, loggedIn }))
    : linkIdentity(ports, caller, attested).map(() => ({ returnTo, loggedIn: undefined }));

/** The flow that the browser has kept, if this is its return. */
function flowOf({ sealedFlows }: CompletionPorts, back: FlowReturn): Result<SignInFlow, FlowInvalid> {
  const flow = back.sealed === undefined ? undefined : sealedFlows.open(back.sealed);
  if (flow === undefined) return err(flowInvalid('no flow is under way in this browser'));
  if (flow.provider !== back.provider) return err(flowInvalid('the flow is one of another provider'));
  return back.answer.state === flow.state ? ok(flow) : err(flowInvalid('the state is not that of the flow'));
}

/** The caller of the session that began to link, which must still be that of the browser. */
function linkingCaller(
  { accessTokens, unitOfWork }: CompletionPorts,
  { userId, sessionId }: AccessClaims,
  { accessToken }: FlowReturn,
  client: Client,
): ResultAsync<SessionCaller, FlowInvalid> {
  const other = () => flowInvalid('the flow is one of another session');
  const claims = accessToken === undefined ? undefined : accessTokens.verify(accessToken).unwrapOr(undefined);
  if (claims?.sessionId !== sessionId || claims.userId !== userId) return errAsync(other());
  return unitOfWork
    .session({ kind: 'session', userId, sessionId })
    .caller()
    .mapErr(other)
    .andThen((known) => {
      const caller = callerFrom(known, client);
      return isSessionCaller(caller) ? ok(caller) : err(other());
    });
}
