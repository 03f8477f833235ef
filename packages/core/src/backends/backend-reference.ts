import { z } from 'zod';

/** Id of an origin server or a load balancer; compared ignoring case (RFC 9562 section 4). */
export const BackendId = z
  .uuid()
  .overwrite((id) => id.toLowerCase())
  .brand<'BackendId'>();
export type BackendId = z.infer<typeof BackendId>;

/** The kinds of backends as clients may spell them; `origin` is another word for `origin_server`. */
export const backendTypes = ['origin_server', 'load_balancer', 'origin'] as const;

/** Names a backend of the zone's organization (interface, "settingsOverrides keys": `defaultBackend`). */
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

/** What the reference points to, whichever word was written for it. */
export const backendKind = ({ type }: Pick<BackendReference, 'type'>): BackendKind =>
  type === 'load_balancer' ? 'load_balancer' : 'origin_server';
