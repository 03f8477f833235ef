import { createBasicAuthUser, prepareBasicAuthUser } from './basic-auth-users/create-basic-auth-user.ts';
import { deleteBasicAuthUser } from './basic-auth-users/delete-basic-auth-user.ts';
import { listBasicAuthUsers, readBasicAuthUser } from './basic-auth-users/read-basic-auth-users.ts';
import { updateBasicAuthUser } from './basic-auth-users/update-basic-auth-user.ts';
import { listDeletedZones } from './deleted-zones/list-deleted-zones.ts';
import { readDeletedZone } from './deleted-zones/read-deleted-zone.ts';
import { restoreDeletedZone } from './deleted-zones/restore-deleted-zone.ts';
import { evaluateRequest } from './evaluation/evaluate-request.ts';
import { listBackendRevisions, readBackendRevision } from './revisions/read-backend-revisions.ts';
import { compareRevisions, listRevisions, readRevision } from './revisions/read-revisions.ts';
import { restoreRevision } from './revisions/restore-revision.ts';
import { createRule } from './rules/create-rule.ts';
import { deleteRule } from './rules/delete-rule.ts';
import { moveRule } from './rules/move-rule.ts';
import { listRules, readRule } from './rules/read-rules.ts';
import { replaceRules } from './rules/replace-rules.ts';
import { updateRule } from './rules/update-rule.ts';
import { createZone } from './zone-changes/create-zone.ts';
import { deleteZone } from './zone-changes/delete-zone.ts';
import { rotateBanToken } from './zone-changes/rotate-ban-token.ts';
import { updateZone } from './zone-changes/update-zone.ts';
import { concernedOrganization } from './zones/concerned-organization.ts';
import { listZones } from './zones/list-zones.ts';
import { readZone } from './zones/read-zone.ts';
import { checkZoneAccess } from './zones/zone-access.ts';

/** The factories of the use cases of zones and everything in them. */
export const zoneUseCases = {
  concernedOrganization,
  listBackendRevisions,
  readBackendRevision,
  listZones,
  createZone,
  readZone,
  deleteZone,
  updateZone,
  rotateBanToken,
  checkZoneAccess,
  listRules,
  createRule,
  readRule,
  updateRule,
  deleteRule,
  moveRule,
  replaceRules,
  listBasicAuthUsers,
  prepareBasicAuthUser,
  createBasicAuthUser,
  readBasicAuthUser,
  updateBasicAuthUser,
  deleteBasicAuthUser,
  listRevisions,
  readRevision,
  compareRevisions,
  restoreRevision,
  listDeletedZones,
  readDeletedZone,
  restoreDeletedZone,
  evaluateRequest,
};
