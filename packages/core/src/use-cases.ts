import type { Result, ResultAsync } from 'neverthrow';
import type { PasswordBlocklist } from './accounts/accounts/password-policy.ts';
import type { PasswordHashes } from './accounts/accounts/ports.ts';
import type { SealedFlows, SignInProviders } from './accounts/identities/ports.ts';
import type { PasskeyCeremonies } from './accounts/passkeys/ports.ts';
import type { AccountRepositories } from './accounts/repositories.ts';
import type { AccessTokens } from './accounts/sessions/ports.ts';
import type { OneTimeCodes, QrCodes, RecoveryCodeHashes } from './accounts/two-factor/ports.ts';
import { accountUseCases } from './accounts/use-cases.ts';
import type { Publications } from './delivery/edges/ports.ts';
import type { DeliveryRepositories } from './delivery/repositories.ts';
import { deliveryUseCases } from './delivery/use-cases.ts';
import type { Dependencies } from './kernel/shared/dependencies.ts';
import { lazily } from './kernel/shared/lazily.ts';
import type { UnitOfWork } from './kernel/shared/unit-of-work.ts';
import type { CallerStorage } from './organizations/access/ports.ts';
import type { OriginNetworks } from './organizations/backends/address.ts';
import type { Dns } from './organizations/domains/dns.ts';
import type { HostNameRules } from './organizations/domains/host-name-rules.ts';
import { organizationUseCases } from './organizations/use-cases.ts';
import type { Analyses } from './review/findings/ports.ts';
import type { ReviewRepositories } from './review/repositories.ts';
import { reviewUseCases } from './review/use-cases.ts';
import type { BasicAuthPasswordHashes } from './zones/basic-auth-users/ports.ts';
import type { EvaluationTerms } from './zones/evaluation/evaluate-request.ts';
import { zoneUseCases } from './zones/use-cases.ts';

/** The repositories of all contexts, which only adapters and applications see together. */
export type Repositories = AccountRepositories & ReviewRepositories & DeliveryRepositories;

/** All ports that use cases depend on; each use case picks those it needs. */
export interface Ports extends Omit<Dependencies, 'unitOfWork'>, EvaluationTerms {
  readonly unitOfWork: UnitOfWork<Repositories> & CallerStorage;
  readonly passwords: PasswordHashes;
  readonly blocklist: PasswordBlocklist;
  readonly accessTokens: AccessTokens;
  readonly oneTimeCodes: OneTimeCodes;
  readonly qrCodes: QrCodes;
  readonly recoveryCodeHashes: RecoveryCodeHashes;
  readonly passkeyCeremonies: PasskeyCeremonies;
  readonly signInProviders: SignInProviders;
  readonly sealedFlows: SealedFlows;
  readonly dns: Dns;
  readonly hostNameRules: HostNameRules;
  readonly originNetworks: OriginNetworks;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
  readonly publications: Publications;
  readonly analyses: Analyses;
  /** Bytes of text of the longest page of rules that is read on this thread; by default any. */
  readonly longestPage?: number | undefined;
}

/** Some of the ports; storage that has only some of the repositories will do for use cases that need no others. */
export type SomePorts = Partial<Omit<Ports, 'unitOfWork'>> & { readonly unitOfWork?: UnitOfWork<unknown> };

const factories = {
  ...accountUseCases,
  ...organizationUseCases,
  ...zoneUseCases,
  ...reviewUseCases,
  ...deliveryUseCases,
};

/** Use cases made by factories, as far as these need no other ports than `P`. */
export type Wired<Factories extends Record<string, (ports: never) => unknown>, P> = {
  readonly [Name in keyof Factories as P extends Parameters<Factories[Name]>[0] ? Name : never]: ReturnType<
    Factories[Name]
  >;
};

/** The use cases that need no other ports than `P`. */
export type UseCasesWith<P> = Wired<typeof factories, P>;

/** All use cases by name, as adapters receive them. */
export type UseCases = UseCasesWith<Ports>;

type ErrorOf<UseCase> = UseCase extends (...input: never) => Result<unknown, infer E> | ResultAsync<unknown, infer E>
  ? E
  : never;

/** Every error of a use case. A table that maps errors to responses must cover all of them. */
export type DomainError = { [Name in keyof UseCases]: ErrorOf<UseCases[Name]> }[keyof UseCases];

/**
 * The use cases by name, wired to the given ports: all of them with all ports, otherwise those that need no others. Each
 * is made when it is first used, so it is cheap to wire them for each request. `deliverNextMail` is not included: it
 * belongs to the mail worker and also needs a mailer.
 */
export const useCases = <P extends SomePorts>(ports: P): UseCasesWith<P> =>
  // The result names only those that find their ports in `P`.
  wire(ports as unknown as Ports) as unknown as UseCasesWith<P>;

const wire = lazily<Ports, UseCases>(factories);
