import { type Violation, violation } from '../shared/violation.ts';

/** A member of an input names a rule that the zone does not have. */
export const unknownRule = (propertyPath: string): Violation =>
  violation(propertyPath, 'rule.unknown', 'The zone has no such rule.');
