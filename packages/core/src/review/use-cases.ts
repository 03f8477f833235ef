import { evaluateRequest } from '../zones/evaluation/evaluate-request.ts';
import { applyChangeSet } from './change-sets/apply-change-set.ts';
import { createChangeSet } from './change-sets/create-change-set.ts';
import { discardChangeSet } from './change-sets/discard-change-set.ts';
import { evaluateChangeSet } from './change-sets/evaluate-change-set.ts';
import { listChangeSets } from './change-sets/list-change-sets.ts';
import { readChangeSet } from './change-sets/read-change-set.ts';
import { rebaseChangeSet } from './change-sets/rebase-change-set.ts';
import { updateChangeSet } from './change-sets/update-change-set.ts';
import { compareChangeSet, readChangeSetFindings } from './findings/analyse-change-set.ts';
import { compareBehaviour } from './findings/compare-behaviour.ts';
import { readFindings } from './findings/read-findings.ts';
import { listPromotions } from './promotions/list-promotions.ts';
import { promoteZone } from './promotions/promote-zone.ts';
import { readPromotion } from './promotions/read-promotion.ts';

type EvaluationPorts = Omit<Parameters<typeof evaluateChangeSet>[0], 'evaluateRequest'> &
  Parameters<typeof evaluateRequest>[0];

/** The factories of the use cases of changes before they are made. */
export const reviewUseCases = {
  readFindings,
  compareBehaviour,
  readChangeSetFindings,
  compareChangeSet,
  listChangeSets,
  createChangeSet,
  readChangeSet,
  updateChangeSet,
  discardChangeSet,
  rebaseChangeSet,
  applyChangeSet,
  promoteZone,
  listPromotions,
  readPromotion,
  evaluateChangeSet: (ports: EvaluationPorts) =>
    evaluateChangeSet({ ...ports, evaluateRequest: evaluateRequest(ports) }),
};
