import type { IncomingMessage } from 'node:http';
import { defaultSettings, type Evaluation } from '@zonewright/engine';
import { effective } from '../deciding/decisions.ts';
import { fieldIn, type HeaderLines } from '../responses/header-lines.ts';
import type { ImageSettings } from './images/image-target.ts';
import { imageTransformation } from './images/image-transformation.ts';
import { pageTransformation } from './pages/page-transformation.ts';
import type { Transformation } from './transformation.ts';

/** What may be done with a body: only with whole ones, of answers to GET that may be changed. HEAD tells of those. */
export function transformationOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  evaluation: Evaluation,
  { status, lines }: { readonly status: number; readonly lines: HeaderLines },
): Transformation | undefined {
  const contentType = fieldIn(lines, 'content-type');
  if (contentType === undefined || status !== 200 || !reading.has(method)) return undefined;
  if (!mayChange(evaluation, lines)) return undefined;
  const coding = fieldIn(lines, 'content-encoding') ?? '';
  return isHtml.test(contentType)
    ? ofPage(evaluation, contentType, coding)
    : ofImage(evaluation, contentType, coding, headers.accept);
}

const ofPage = (evaluation: Evaluation, contentType: string, coding: string): Transformation | undefined =>
  effective(evaluation, 'minifyHtml') ? pageTransformation(contentType, coding) : undefined;

const ofImage = (
  evaluation: Evaluation,
  contentType: string,
  coding: string,
  accept = '',
): Transformation | undefined =>
  isImage.test(contentType) && coding === ''
    ? imageTransformation(contentType, accept, imageSettings(evaluation))
    : undefined;

const mayChange = (evaluation: Evaluation, lines: HeaderLines): boolean =>
  effective(evaluation, 'enabled') && !isNoTransform.test(fieldIn(lines, 'cache-control') ?? '');

const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const isHtml = /^\s*text\/html\b/i;
const isImage = /^\s*image\//i;
const isNoTransform = /\bno-transform\b/i;

const isImageKey = (key: string): key is keyof ImageSettings => key.startsWith('imageOptimization');
const imageKeys = Object.keys(defaultSettings).filter(isImageKey);

const imageSettings = (evaluation: Evaluation): ImageSettings =>
  // One entry for each key of the type.
  Object.fromEntries(imageKeys.map((key) => [key, effective(evaluation, key)])) as unknown as ImageSettings;
