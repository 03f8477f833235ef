import { type ResourceDescription, readOnly } from '@zonewright/api-description';
import type { BackendKind, BackendRevisionDetails, BackendRevisionSummary } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { Item, JsonText, type Members } from '../../resources/resource.ts';
import { presentPage } from '../item.ts';
import { pairMembers, summaryMembers } from './revision.ts';

const types = { origin_server: 'OriginServerRevision', load_balancer: 'LoadBalancerRevision' } as const;
const words = { origin_server: 'origin server', load_balancer: 'load balancer' } as const;

/** A backend revision in a list. */
const revisionResource = (kind: BackendKind): ResourceDescription => ({
  type: types[kind],
  title: `${words[kind]} revision`,
  description: `A change to the ${words[kind]}.`,
  schema: z.object(summaryMembers),
});

/** A single backend revision. */
const detailsResource = (kind: BackendKind): ResourceDescription => ({
  ...revisionResource(kind),
  name: `${types[kind]}Details`,
  schema: z.object({
    ...summaryMembers,
    ...pairMembers,
    state: readOnly(
      z.record(z.string(), z.unknown()),
      `Merge patch that restores the ${words[kind]} as it was after the change; empty after its deletion.`,
    ),
  }),
});

/** Backend revisions, in lists and alone. */
export const backendRevisionResources = {
  origin_server: { summary: revisionResource('origin_server'), details: detailsResource('origin_server') },
  load_balancer: { summary: revisionResource('load_balancer'), details: detailsResource('load_balancer') },
} as const satisfies Record<BackendKind, object>;

const revisionItem = ({ backend, number, action, author, createdAt }: BackendRevisionSummary, more: Members = {}) =>
  new Item({
    type: types[backend.kind],
    iri: iri.backendRevision({ backend, number }),
    version: String(number),
    members: { number, action, author: author && iri.user(author), createdAt, ...more },
  });

/** A backend revision with its merge patch, the inverse, and a patch that restores it. */
export const presentBackendRevision = ({ revision, patch, inverse, state }: BackendRevisionDetails): Item =>
  revisionItem(revision, { patch: new JsonText(patch), inversePatch: new JsonText(inverse), state });

/** Backend revisions without patches: author, action and time. */
export const presentBackendRevisions = (kind: BackendKind) =>
  presentPage(types[kind], (revision: BackendRevisionSummary) => revisionItem(revision));
