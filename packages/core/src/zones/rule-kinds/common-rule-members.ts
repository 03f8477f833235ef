import { z } from 'zod';
import { text } from '../../kernel/shared/text.ts';

/** 1 to 255 code points, trimmed; unique in a list of rules, ignoring case. */
const RuleName = text({ min: 1, max: 255 }).brand<'RuleName'>();
export type RuleName = z.infer<typeof RuleName>;

/** At most 1000 code points; may span several lines. */
const RuleDescription = text({ max: 1000, multiline: true }).brand<'RuleDescription'>();
export type RuleDescription = z.infer<typeof RuleDescription>;

/** The members that all ordered kinds of rules share, with defaults. */
export const commonRuleMembers = {
  name: RuleName,
  description: RuleDescription.prefault(''),
  enabled: z.boolean().default(true),
} as const;
