import type { z } from 'zod';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { text } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';
import type { RequestHostname } from './address.ts';
import type { BackendId } from './backend-reference.ts';

/** 1 to 255 code points, trimmed; unique in an organization, ignoring case, among the backends of its kind. */
export const BackendName = text({ min: 1, max: 255 }).brand<'BackendName'>();
export type BackendName = z.infer<typeof BackendName>;

/** When a backend was written, and its revision. */
export interface BackendStamp {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
}

/** What origin servers and load balancers have in common. */
export interface Backend extends BackendStamp {
  readonly id: BackendId;
  readonly organizationId: OrganizationId;
  /** Unique in the organization among backends of its kind, ignoring case. */
  readonly name: BackendName;
  /** The `Host` header of requests to the origin; undefined: the host of the client's request. */
  readonly requestHostname: RequestHostname | undefined;
}

/** The version for entity tags. */
export const backendVersion = ({ revision }: Pick<Backend, 'revision'>): Version => String(revision);
