import type { SettingKey, Settings } from '@zonewright/engine';
import type { ServedZone } from '../documents/accepted-zone.ts';

/** Pages of this program: what they say depends on the status alone, and reveals nothing internal. */
const sentences: Readonly<Record<number, readonly [title: string, sentence: string]>> = {
  400: ['Bad Request', 'The request could not be understood.'],
  401: ['Unauthorized', 'A user name and a password are needed.'],
  403: ['Forbidden', 'Access to this page was refused.'],
  408: ['Request Timeout', 'The request took too long to arrive.'],
  414: ['URI Too Long', 'The address of the page is too long.'],
  421: ['Misdirected Request', 'There is no such site here.'],
  429: ['Too Many Requests', 'There were too many attempts. Please try again later.'],
  431: ['Request Header Fields Too Large', 'The header of the request is too large.'],
  502: ['Bad Gateway', 'The site cannot be reached at the moment. Please try again later.'],
  503: ['Service Unavailable', 'The site is not available at the moment. Please try again later.'],
  504: ['Gateway Timeout', 'The site took too long to answer. Please try again later.'],
  508: ['Loop Detected', 'The site refers to itself.'],
};

const elsewhere = ['Moved', 'The page is at another address.'] as const;

/** The plain page of a status, in UTF-8. */
export function plainPage(status: number): string {
  const [title, sentence] = sentences[status] ?? elsewhere;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32rem;padding:0 1rem}</style>
<h1>${title}</h1>
<p>${sentence}</p>
`;
}

/** The reason phrase of a status that a plain page exists for. */
export const reasonOf = (status: number): string => sentences[status]?.[0] ?? '';

/** Why a request gets a page. */
export type PageKind = 'security' | 'challenge' | 'maintenance' | 'error' | 'plain';

const members: Readonly<Record<PageKind, readonly [enabled: SettingKey | undefined, html: SettingKey | undefined]>> = {
  security: ['customPagesSecurityEnabled', 'customPagesSecurityHtml'],
  challenge: ['customPagesChallengeEnabled', 'customPagesChallengeHtml'],
  // Maintenance is active or not: it has no switch for the page.
  maintenance: [undefined, 'customPagesMaintenanceHtml'],
  error: ['customPagesErrorEnabled', 'customPagesErrorHtml'],
  plain: [undefined, undefined],
};

/** The zone's own page, if it has one. Pages are settings of the zone that no rule overrides. */
export function customPage({ document }: ServedZone, kind: PageKind): string | undefined {
  const [enabled, html] = members[kind];
  // Checked by the engine when the document was compiled.
  const settings = document.document['zone_settings'] as Partial<Settings> | undefined;
  if (html === undefined || (enabled !== undefined && settings?.[enabled] !== true)) return undefined;
  const page = settings?.[html];
  return typeof page === 'string' && page !== '' ? page : undefined;
}
