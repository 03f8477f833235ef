import { z } from 'zod';

/** Id of an origin server or load balancer, compared case-insensitively (RFC 9562 section 4). */
export const BackendId = z
  .uuid()
  .overwrite((id) => id.toLowerCase())
  .brand<'BackendId'>();
export type BackendId = z.infer<typeof BackendId>;

/** The kinds of backends as clients may write them; `origin` is an alias of `origin_server`. */
export const backendTypes = ['origin_server', 'load_balancer', 'origin'] as const;

/** Refers to a backend of the zone's organization (interface, "settingsOverrides keys": `defaultBackend`). */
export const BackendReference = z.strictObject({
  type: z
    .string()
    .pipe(z.enum(backendTypes))
    .meta({ enum: [...backendTypes], description: 'Kind of backend; `origin` is an alias of `origin_server`.' }),
  id: BackendId.meta({ description: 'Id of the backend.' }),
});
export type BackendReference = z.infer<typeof BackendReference>;

/** The kinds of backends. */
export type BackendKind = 'origin_server' | 'load_balancer';

/** The kind of backend referred to, with aliases resolved. */
export const backendKind = ({ type }: Pick<BackendReference, 'type'>): BackendKind =>
  type === 'load_balancer' ? 'load_balancer' : 'origin_server';
