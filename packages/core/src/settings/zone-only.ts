import { z } from 'zod';
import { firstBroken, integerBetween } from '../shared/constraints.ts';
import { utf8Bytes } from '../shared/text.ts';
import { settings } from './setting.ts';

/** Maximum size of a custom page, in bytes of UTF-8. */
const maxPageBytes = 262_144;

const secondsPerWeek = 604_800;
const controlsExceptLayout = /[^\P{Cc}\t\n\f\r]/u;

const tooLarge = { code: 'text.tooLong', message: `This value should have at most ${maxPageBytes} bytes.` };

/** A page, served byte for byte: neither trimmed nor normalized. */
const Page = z
  .string()
  .check(
    firstBroken<string>(
      { holds: (page) => page.length <= maxPageBytes && utf8Bytes(page) <= maxPageBytes, ...tooLarge },
      { holds: (page) => page.isWellFormed(), code: 'text.encoding', message: 'This value contains a lone surrogate.' },
      {
        holds: (page) => !controlsExceptLayout.test(page),
        code: 'text.control',
        message: 'This value contains a control character.',
      },
    ),
  )
  // In code points; a code point takes at least one byte.
  .meta({ maxLength: maxPageBytes });

/** Settings that rules cannot override. */
export const zoneOnlySettings = settings({
  underAttack: [z.boolean(), 'Challenges every client before it reaches the zone.'],
  customPagesErrorEnabled: [z.boolean(), 'Shows customPagesErrorHtml when the origin fails.'],
  customPagesSecurityEnabled: [
    z.boolean(),
    'Shows customPagesSecurityHtml to clients that are refused for security reasons.',
  ],
  customPagesChallengeEnabled: [
    z.boolean(),
    'Shows customPagesChallengeHtml to clients that have to pass a challenge.',
  ],
  customPagesErrorHtml: [Page, 'HTML of the error page, at most 256 KiB.'],
  customPagesSecurityHtml: [Page, 'HTML of the page for refused clients, at most 256 KiB.'],
  customPagesChallengeHtml: [Page, 'HTML of the challenge page, at most 256 KiB.'],
  customPagesMaintenanceHtml: [Page, 'HTML of the maintenance page, at most 256 KiB.'],
  staleWhileRevalidateSeconds: [
    integerBetween(0, secondsPerWeek),
    'Seconds after its lifetime that an object may still be served while it is revalidated (RFC 5861 section 3).',
  ],
  staleIfErrorSeconds: [
    integerBetween(0, secondsPerWeek),
    'Seconds after its lifetime that an object may still be served when the origin fails (RFC 5861 section 4).',
  ],
});
