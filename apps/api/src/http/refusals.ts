import { type ApiError, problems } from '@zonewright/api-description';
import type { Context } from 'koa';
import { reportOf } from '../observability/request-report.ts';
import { clearedFlowCookie } from './cookies.ts';
import { respondProblem, withoutBody } from './respond.ts';
import type { Route } from './route.ts';

/** Where people sign in, and learn why they could not. */
export const signInPage = '/sign-in';

/** Reports an error in the way of the route, and the reason of a refused provider in the log. */
export function respondRefusal(ctx: Context, error: ApiError, route: Pick<Route, 'problems' | 'refusals'>): void {
  if ('reason' in error && isOfProvider(error)) reportOf(ctx).refusal = `${problems[error.type].slug}: ${error.reason}`;
  if (route.refusals === 'problems') return respondProblem(ctx, error, route.problems);
  const { slug } = { ...problems[error.type], ...route.problems[error.type] };
  ctx.set('Location', `${signInPage}#problem=${slug}`);
  ctx.append('Set-Cookie', clearedFlowCookie());
  withoutBody(ctx, 303);
}

const isOfProvider = ({ type }: ApiError): boolean =>
  ['ProviderUnavailable', 'AttestationRefused', 'SignInDeclined', 'FlowInvalid'].includes(type);
