import { analysesInThread, type ClosableAnalyses } from '@zonewright/analysis';
import { documentationLink } from '@zonewright/api-description';
import { type Config, cryptography, type Keys } from '@zonewright/configuration';
import {
  checkNextDomain,
  type Dns,
  deliverNextMail,
  extraPoints,
  type Mailer,
  noProviders,
  type PasswordBlocklist,
  type PasswordHashes,
  type Ports,
  type SignInProviders,
  shortEvaluation,
  shortPageTextBytes,
  type UseCases,
  useCases,
} from '@zonewright/core';
import { type HashingGate, hashingGate } from '@zonewright/crypto';
import { nodeDns } from '@zonewright/dns';
import { type RelyingParty, webAuthnCeremonies } from '@zonewright/passkeys';
import { Container, type ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { RequestThreads } from '../admission/forwarding.ts';
import { payloadBudget, payloadLimitsAt } from '../admission/payload-budget.ts';
import type { ClosableRequestThreads } from '../admission/request-threads.ts';
import { sharesOf } from '../admission/shares.ts';
import { type AppDependencies, createApp } from '../app.ts';
import { edgeStorage } from '../edges/edge-storage.ts';
import { openPublisher } from '../edges/open-publisher.ts';
import type { Publisher } from '../edges/publisher.ts';
import { trustedProxyList } from '../http/client-address.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { addressesOf } from '../present/zones/evaluation.ts';
import { onlyProcess, type ProcessSlot } from '../process-slot.ts';
import { routeTable } from '../routes/index.ts';
import { documentsOf } from '../site/documents.ts';
import { readiness } from '../site/readiness.ts';
import { type ClosableMailer, openMailer } from './mailer.ts';
import type { Storage } from './storage.ts';
import { timedAnalyses, timedMailer, timedThreads } from './timed-parts.ts';
import { cleanUpWorker } from './workers/clean-up-worker.ts';
import { domainWorker } from './workers/domain-worker.ts';
import { mailWorker } from './workers/mail-worker.ts';
import type { Worker } from './workers/worker.ts';

/** What the process supplies from outside the container. */
export interface Environment {
  readonly config: Config;
  readonly keys: Keys;
  /** Closed by the container. */
  readonly storage: Storage;
  readonly blocklist: PasswordBlocklist;
  readonly log: Logger;
  /** Absent when metrics are disabled. */
  readonly metrics: Metrics | undefined;
  /** Absent when tracing is disabled. */
  readonly tracing: Tracing | undefined;
  /** Whether the process is shutting down: it finishes current work and accepts no more. */
  readonly isDraining: () => boolean;
  /** This process among those of the machine; by default the only one. */
  readonly slot?: ProcessSlot;
  /** The queue for slow hashes; by default sized for the machine. */
  readonly hashing?: HashingGate;
  /** Analyses configurations; by default in the calling thread. Closed by the container. */
  readonly analyses?: ClosableAnalyses;
  /** Replaces the price of work, for tests that count requests on busy machines. */
  readonly pointsOf?: typeof extraPoints;
  /** Answer requests that take long; absent where everything runs in the calling thread. Closed by the container. */
  readonly threads?: ClosableRequestThreads | undefined;
  /** Replaces the real password hashes, for tests that do not depend on slow hashing. */
  readonly passwords?: PasswordHashes;
  /** What people can sign in by besides passwords; by default nothing. */
  readonly signInProviders?: SignInProviders | undefined;
  /** Replaces the name servers of the configuration, for tests. */
  readonly dns?: Dns;
}

/** A symbol cannot carry the type it identifies, hence the cast. */
const id = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** The container's bindings. Identifiers are typed: swapped or missing arguments do not compile. */
export const ids = {
  environment: id<Environment>('environment'),
  storage: id<Storage>('storage'),
  analyses: id<ClosableAnalyses>('analyses'),
  threads: id<{ readonly used: ClosableRequestThreads | undefined }>('threads'),
  mailer: id<ClosableMailer>('mailer'),
  mailWorker: id<Worker>('mailWorker'),
  cleanUpWorker: id<Worker>('cleanUpWorker'),
  domainWorker: id<Worker>('domainWorker'),
  publisher: id<Publisher>('publisher'),
  ports: id<Ports>('ports'),
  appDependencies: id<AppDependencies>('appDependencies'),
  app: id<Koa>('app'),
} as const;

/** Maximum mails of one kind per account and hour. */
const mailsPerHour = 3;

/** Wires the service. Everything opens lazily; `container.unbindAllAsync()` closes what was opened. */
export function compose(environment: Environment): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(ids.environment).toConstantValue(environment);
  bindStorage(container);
  bindAnalyses(container);
  bindWorkers(container);
  bindDomainWorker(container);
  bindPublisher(container);
  bindPorts(container);
  bindApp(container);
  return container;
}

function bindStorage(container: Container): void {
  container
    .bind(ids.storage)
    .toResolvedValue(({ storage }: Environment) => storage, [ids.environment])
    .onDeactivation((storage) => storage.close());
}

function bindAnalyses(container: Container): void {
  container
    .bind(ids.analyses)
    .toResolvedValue(
      ({ tracing, analyses = analysesInThread() }: Environment) => {
        return tracing === undefined ? analyses : timedAnalyses(analyses, tracing.timed);
      },
      [ids.environment],
    )
    .onDeactivation((analyses) => analyses.close());
  container
    .bind(ids.threads)
    .toResolvedValue(({ threads }: Environment) => ({ used: threads }), [ids.environment])
    .onDeactivation(({ used }) => used?.close());
}

function bindWorkers(container: Container): void {
  container
    .bind(ids.mailer)
    .toResolvedValue(
      ({ config, tracing }: Environment) => {
        const mailer = openMailer(config);
        return tracing === undefined ? mailer : timedMailer(mailer, tracing.timed);
      },
      [ids.environment],
    )
    .onDeactivation((mailer) => mailer.close());
  container.bind(ids.mailWorker).toResolvedValue(
    (ports: Ports, mailer: Mailer, { config, log }: Environment) =>
      mailWorker({
        deliverNextMail: deliverNextMail({
          ...ports,
          mailer,
          cap: { mailsPerHour: Math.max(1, Math.round(mailsPerHour * config.rateLimitScale)) },
        }),
        log,
      }),
    [ids.ports, ids.mailer, ids.environment],
  );
  container
    .bind(ids.cleanUpWorker)
    .toResolvedValue(
      (storage: Storage, { log }: Environment) => cleanUpWorker({ storage, log }),
      [ids.storage, ids.environment],
    );
}

function bindDomainWorker(container: Container): void {
  container
    .bind(ids.domainWorker)
    .toResolvedValue(
      (ports: Ports, { log }: Environment) => domainWorker({ checkNextDomain: checkNextDomain(ports), log }),
      [ids.ports, ids.environment],
    );
}

function bindPublisher(container: Container): void {
  container
    .bind(ids.publisher)
    .toResolvedValue(
      (storage: Storage, { config, keys, log, hashing = hashingGate() }: Environment, checks: ClosableAnalyses) =>
        openPublisher(storage, { config, log, sha256: cryptography({ config, keys, hashing }).sha256, checks }),
      [ids.storage, ids.environment, ids.analyses],
    );
}

function bindPorts(container: Container): void {
  container.bind(ids.ports).toResolvedValue(
    (
      { unitOfWork }: Storage,
      analyses: ClosableAnalyses,
      {
        config,
        keys,
        blocklist,
        hashing = hashingGate(),
        passwords,
        dns,
        threads,
        signInProviders = noProviders,
      }: Environment,
      publications: Publisher,
    ): Ports => ({
      unitOfWork,
      analyses,
      blocklist,
      ...cryptography({ config, keys, hashing }),
      dns: dns ?? nodeDns({ servers: config.dnsServers }),
      hostNameRules: config.hostNameRules,
      publications,
      originNetworks: config.originNetworks,
      passkeyCeremonies: webAuthnCeremonies(relyingPartyOf(config)),
      ...(passwords && { passwords }),
      signInProviders,
      namesOf: addressesOf,
      evaluationBudget: threads && shortEvaluation,
      longestPage: threads && shortPageTextBytes,
    }),
    [ids.storage, ids.analyses, ids.environment, ids.publisher],
  );
}

/** All use cases; those of edges use storage as edges may. */
function withEdgeStorage(ports: Ports, { unitOfWork }: Storage, config: Config): UseCases {
  const { tokenHashes, publications } = ports;
  const ofEdges = { unitOfWork: edgeStorage(unitOfWork, config), tokenHashes, publications };
  const { authenticateEdge, readChanges, readEdgeDocument, reportEdgeState } = useCases(ofEdges);
  return { ...useCases(ports), authenticateEdge, readChanges, readEdgeDocument, reportEdgeState };
}

function bindApp(container: Container): void {
  container.bind(ids.app).toResolvedValue(createApp, [ids.appDependencies]);
  container.bind(ids.appDependencies).toResolvedValue(
    (
      ports: Ports,
      storage: Storage,
      threads: { readonly used: ClosableRequestThreads | undefined },
      environment: Environment,
    ): AppDependencies => {
      const { config, log, metrics, tracing, isDraining, slot = onlyProcess } = environment;
      const all = withEdgeStorage(ports, storage, config);
      const routes = routeTable();
      return {
        measure: metrics?.middleware,
        trace: tracing?.middleware,
        routes,
        documentationLink: documentationLink(config),
        documents: () => documentsOf(routes, config),
        checkCredential: all.checkCredential,
        authenticateEdge: all.authenticateEdge,
        unitOfWork: storage.unitOfWork,
        useCasesOn: (storage) => (storage === undefined ? all : useCases({ ...ports, unitOfWork: storage })),
        recordRefusal: all.recordRefusal,
        concernedOrganization: all.concernedOrganization,
        limiter: storage.limiter,
        idempotencyKeys: storage.idempotencyKeys,
        payloads: payloadBudget(payloadLimitsAt(slot)),
        extraPoints: environment.pointsOf ?? extraPoints,
        shares: sharesOf(config),
        budgets: config,
        trustedProxies: trustedProxyList(config.trustedProxies),
        ...originsOf(config),
        isReady: readiness(storage, isDraining),
        log,
        threads: timedIfTraced(threads.used, tracing),
      };
    },
    [ids.ports, ids.storage, ids.threads, ids.environment],
  );
}

const originsOf = ({ publicBaseUrl, corsOrigins }: Config) => ({
  corsOrigins,
  trustedOrigins: new Set([new URL(publicBaseUrl).origin, ...corsOrigins]),
});
/** Passkeys are bound to the host of the service's address. */
const relyingPartyOf = ({ publicBaseUrl, passkeyOrigins }: Config): RelyingParty => {
  const { hostname, origin } = new URL(publicBaseUrl);
  return { id: hostname, name: 'Zonewright', origins: [origin, ...passkeyOrigins] };
};

const timedIfTraced = (threads: RequestThreads | undefined, tracing: Tracing | undefined) =>
  threads === undefined || tracing === undefined ? threads : timedThreads(threads, tracing.timed);
