import { z } from 'zod';
import { firstBroken } from '../shared/constraints.ts';
import { inALabels, inUnicode, maxNameLength, nameConstraints } from './dns-name.ts';

/** A DNS name that someone can control: lower-case A-labels, at least two of them, and no public suffix. */
export const DomainName = z
  .string()
  .overwrite(inALabels)
  .check(firstBroken(...nameConstraints((value) => value)))
  .meta({ minLength: 1, maxLength: maxNameLength })
  .brand<'DomainName'>();
export type DomainName = z.infer<typeof DomainName>;

/** The name as people read it; undefined if it is the same. */
export function unicodeNameOf(name: DomainName): string | undefined {
  const unicode = inUnicode(name);
  return unicode === name ? undefined : unicode;
}
