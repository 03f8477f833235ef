import { link, type ResourceDescription, readOnly, readOnlyLink } from '@zonewright/api-description';
import {
  analysisVersion,
  type BackendId,
  type BehaviourChange,
  comparedBackends,
  type NamedZone,
  type Reason,
  type ZoneBehaviour,
} from '@zonewright/core';
import { z } from 'zod';
import { versionOfContent } from '../../resources/entity-tag.ts';
import { iri } from '../../resources/iri.ts';
import { Item, Part } from '../../resources/resource.ts';
import { membersOf } from '../item.ts';
import { ruleAddress, ruleTypes, Witness } from './analysis.ts';

const reasons = z.array(link([...ruleTypes, 'OriginServer', 'LoadBalancer'], 'A rule or a backend.'));

const behaviourChangeResource = {
  type: 'BehaviourChange',
  title: 'change of behaviour',
  description: 'Requests that are treated differently for the same reasons.',
  schema: z.object({
    key: readOnly(
      z.string().meta({ examples: ['settings.cachingDefaultTtl'] }),
      'What is different: `answer`, `request`, `settings.<key>`, `backend`, `skips`, `scenarios` or `basicAuthUsers`.',
    ),
    from: readOnly(
      z.unknown().meta({ examples: [604800] }),
      'What the witness gets before the change; null if a setting has no value.',
    ),
    to: readOnly(
      z.unknown().meta({ examples: [60] }),
      'What the witness gets after the change; null if a setting has no value.',
    ),
    because: readOnly(
      z.object({ before: reasons, after: reasons }),
      'The rules or backends that cause the change, on either side.',
    ),
    message: readOnly(
      z.string().meta({
        examples: ['Requests such as GET https://www.example.com/shop/ get cachingDefaultTtl: 60 instead of 604800.'],
      }),
      'The change in a sentence.',
    ),
    witness: readOnly(
      Witness,
      'A request that is treated differently, in the form that the evaluation of a request accepts.',
    ),
  }),
} satisfies ResourceDescription;

/** The behavioural difference of two configurations of a zone. */
export const behaviourDiffResource = {
  type: 'BehaviourDiff',
  title: 'difference in behaviour',
  description: 'Which requests two configurations of a zone treat differently.',
  parts: [behaviourChangeResource],
  schema: z.object({
    zone: readOnlyLink('Zone', 'The zone.'),
    from: readOnly(z.int().min(1), 'Number of the revision before.'),
    to: readOnly(z.int().min(1), 'Number of the revision after; absent for an open change set.').optional(),
    changeSet: readOnlyLink('ChangeSet', 'The change set that was compared.').optional(),
    backends: readOnly(
      z.enum(comparedBackends),
      'Whether the backends are those at the time of each revision (`then`) or the current ones (`now`).',
    ),
    analysisVersion: readOnly(
      z.int().min(1),
      'Increases whenever the same configurations may yield a different result.',
    ),
    complete: readOnly(
      z.boolean(),
      'Whether the list is complete: every request that is treated differently differs in a listed `key`, for the reasons listed with it.',
    ),
    harmless: readOnly(
      z.boolean().meta({ examples: [false] }),
      'Whether it is proven that no request is treated differently.',
    ),
    message: readOnly(
      z.string().meta({ examples: ['Exactly one kind of request is treated differently. This is proven.'] }),
      'The result in a sentence.',
    ),
    changes: readOnly(z.array(behaviourChangeResource.schema), 'At most 50 changes, one for each key and its reasons.'),
  }),
} satisfies ResourceDescription;

/** A behavioural difference; its version is derived from its content. */
export function presentBehaviour({ zone, changeSet, diff, ...compared }: ZoneBehaviour): Item {
  const members = membersOf(behaviourDiffResource, {
    ...diff,
    ...compared,
    zone: iri.zone(zone.id),
    changeSet: changeSet && iri.changeSet({ zoneId: zone.id, id: changeSet }),
    analysisVersion,
    changes: diff.changes.map((change) => presentChange(zone, change)),
  });
  const address =
    changeSet === undefined
      ? `${iri.revision({ zoneId: zone.id, number: compared.from })}/behaviour/${compared.to}`
      : `${iri.changeSet({ zoneId: zone.id, id: changeSet })}/behaviour`;
  return new Item({ type: behaviourDiffResource.type, iri: address, version: versionOfContent(members), members });
}

function presentChange(zone: NamedZone, change: BehaviourChange): Part {
  const addresses = (reasons: readonly Reason[]) => reasons.map((reason) => addressOf(zone, reason));
  const because = { before: addresses(change.because.before), after: addresses(change.because.after) };
  return new Part({
    type: behaviourChangeResource.type,
    members: membersOf(behaviourChangeResource, { ...change, because }),
  });
}

function addressOf({ id: zoneId, organizationId }: NamedZone, { list, id }: Reason): string {
  switch (list) {
    case 'originServers':
      // The analysis returns ids unchanged, so this is a backend's id.
      return iri.originServer({ organizationId, id: id as BackendId });
    case 'loadBalancers':
      // Likewise.
      return iri.loadBalancer({ organizationId, id: id as BackendId });
    default:
      return ruleAddress(zoneId)({ list, id });
  }
}
