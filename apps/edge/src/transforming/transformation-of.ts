import type { IncomingMessage } from 'node:http';
import { defaultSettings, type Evaluation } from '@zonewright/engine';
import { effective } from '../deciding/decisions.ts';
import { fieldIn, type HeaderLines } from '../responses/header-lines.ts';
import { assumedType } from './assumed-type.ts';
import type { ImageSettings } from './images/image-target.ts';
import { imageTransformation } from './images/image-transformation.ts';
import { pageTransformation } from './pages/page-transformation.ts';
import type { Transformation } from './transformation.ts';

type Question = Pick<IncomingMessage, 'method' | 'headers' | 'url'>;

/** What may be done with a body: only with whole ones, of answers to GET that may be changed. HEAD tells of those. */
export const transformationOf = (
  request: Question,
  evaluation: Evaluation,
  { status, lines }: { readonly status: number; readonly lines: HeaderLines },
): Transformation | undefined =>
  status === 200 ? ofType(request, evaluation, lines, fieldIn(lines, 'content-type')) : undefined;

/** What may be done with the whole of which an answer sends a part, or says that it is as it was. */
export function transformationOfWhole(
  request: Question,
  evaluation: Evaluation,
  lines: HeaderLines,
): Transformation | undefined {
  const given = fieldIn(lines, 'content-type');
  const isTold = given !== undefined && !isMultipart.test(given);
  const type = isTold ? given : assumedType(request.url ?? '', request.headers.accept ?? '');
  return ofType(request, evaluation, lines, type);
}

/** Whether anything may be transformed. */
export const mayTransform = (evaluation: Evaluation): boolean =>
  effective(evaluation, 'enabled') &&
  (effective(evaluation, 'minifyHtml') || effective(evaluation, 'imageOptimizationEnabled'));

function ofType(
  { method, headers }: Question,
  evaluation: Evaluation,
  lines: HeaderLines,
  contentType: string | undefined,
): Transformation | undefined {
  if (contentType === undefined || !reading.has(method)) return undefined;
  if (!mayTransform(evaluation) || isNoTransform.test(fieldIn(lines, 'cache-control') ?? '')) return undefined;
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

const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const isHtml = /^\s*text\/html\b/i;
const isMultipart = /^\s*multipart\//i;
const isImage = /^\s*image\//i;
const isNoTransform = /\bno-transform\b/i;

const isImageKey = (key: string): key is keyof ImageSettings => key.startsWith('imageOptimization');
const imageKeys = Object.keys(defaultSettings).filter(isImageKey);

const imageSettings = (evaluation: Evaluation): ImageSettings =>
  // One entry for each key of the type.
  Object.fromEntries(imageKeys.map((key) => [key, effective(evaluation, key)])) as unknown as ImageSettings;
