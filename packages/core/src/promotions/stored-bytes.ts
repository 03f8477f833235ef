import { utf8Bytes } from '../shared/text.ts';
import { bytesPerRow } from '../usage-limits/stored-bytes.ts';
import type { NewPromotion } from './ports.ts';

/** What a promotion counts towards the quota of its organization, besides its change set. */
export const bytesOfPromotion = ({ request, report }: Pick<NewPromotion, 'request' | 'report'>): number =>
  bytesPerRow + utf8Bytes(request) + utf8Bytes(report.text);
