import { type Config, version } from '@zonewright/configuration';
import {
  type DocumentChecks,
  type DomainStorage,
  publishDue,
  republishIfFormatChanged,
  rollOut,
  type Sha256,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Logger } from 'pino';
import { iri } from '../resources/iri.ts';
import { Publisher } from './publisher.ts';

/** Documents that no zone has any more are kept for an hour, for edges that are about to read them. */
const unusedDocumentSeconds = 60 * 60;
/** Edges that are further behind read everything again. */
const keptPublications = 100_000;

/** What a publisher is made of, besides storage. */
interface PublisherParts {
  readonly config: Config;
  readonly log: Logger;
  readonly sha256: Sha256;
  readonly checks: DocumentChecks;
}

/** Publishes what changes in storage, for as long as the process runs. */
export function openPublisher(
  { unitOfWork }: { readonly unitOfWork: DomainStorage },
  { config, log, sha256, checks }: PublisherParts,
): Publisher {
  const { hostNameRules, edgeSoakSeconds } = config;
  const publish = publishDue({
    unitOfWork,
    hostNameRules,
    sha256,
    checks,
    addresses: iri,
    onFailure: (zone, failure) => log.error({ err: failure, zone }, 'the edge document of a zone cannot be made'),
  });
  const roll = rollOut({ unitOfWork, soakSeconds: edgeSoakSeconds });
  const mark = republishIfFormatChanged({ unitOfWork, hostNameRules, version });
  return new Publisher({
    begin: () => valueOf(mark()),
    publish: (round) => valueOf(publish(round)),
    rollOut: () => valueOf(roll()),
    status: () => valueOf(unitOfWork.view(({ edgeFeed }) => edgeFeed.status())),
    forget: () => valueOf(unitOfWork.run(({ edgeFeed }) => edgeFeed.forget(unusedDocumentSeconds, keptPublications))),
    onFailure: (failure) => log.error({ err: failure }, 'publishing zones failed'),
  });
}

/** The value of a result that has no errors. */
const valueOf = async <T>(pending: ResultAsync<T, never>): Promise<T> =>
  pending.match(
    (value) => value,
    (impossible) => impossible,
  );
