import { z } from 'zod';
import { uniqueList } from '../../kernel/shared/constraints.ts';
import { coded } from '../../kernel/shared/parse.ts';
import { Conditions } from '../conditions/conditions.ts';
import { commonRuleMembers } from './common-rule-members.ts';

/** What happens to a matching request: it is allowed, refused with 403, challenged, or exempted from checks. */
export const accessActions = ['allow', 'block', 'challenge', 'skip'] as const;

/** The checks that an access rule can exempt a request from. */
export const skipTargets = ['waf', 'rateLimiting', 'scenarios', 'underAttack', 'ipLists'] as const;

const SkipTargets = uniqueList(z.enum(skipTargets), { maxItems: skipTargets.length, key: (target) => target });

/**
 * Controls access. Rules are evaluated in ascending order: `block` and `challenge` are final, `allow` ends the
 * evaluation of access rules, `skip` adds its targets and continues unless `stopOnMatch` is set.
 */
export const AccessRuleContent = z
  .strictObject({
    ...commonRuleMembers,
    conditions: Conditions,
    action: z.enum(accessActions),
    skipTargets: SkipTargets.prefault([]),
    stopOnMatch: z.boolean().default(false),
  })
  .refine(({ action, skipTargets: targets }) => action !== 'skip' || targets.length > 0, {
    ...coded('accessRule.skipTargets.required', 'The action "skip" needs at least one target.'),
    path: ['skipTargets'],
  })
  .refine(({ action, skipTargets: targets }) => action === 'skip' || targets.length === 0, {
    ...coded('accessRule.skipTargets.unexpected', 'Only the action "skip" takes targets.'),
    path: ['skipTargets'],
  });
export type AccessRuleContent = z.output<typeof AccessRuleContent>;
