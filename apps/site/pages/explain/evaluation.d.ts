import type { ZoneEvaluation } from '@zonewright/core';

/** The response of `/api/zones/{id}/evaluation` (docs/api-guide.md). */
export type Evaluation = ZoneEvaluation['evaluation'] & {
  readonly zone: string;
  readonly revision: number;
  readonly draft: boolean;
};

export type Tri = 'true' | 'false' | 'unknown';
export type Phase = NonNullable<Evaluation['phases']>[number];
export type Cache = NonNullable<Evaluation['cache']>;
export type Origin = NonNullable<Evaluation['origin']>;
export type ResponseChanges = NonNullable<Evaluation['response']>;
export type Setting = NonNullable<Evaluation['settings']>[string];
export type KeyPart = NonNullable<Cache['key']>['parts'][number];

/** The value a condition was matched against; possible secrets are reduced to their length. */
export type Shown = string | { readonly length: number };

export interface Leaf {
  readonly index: number;
  readonly result: Tri;
  readonly subject?: readonly Shown[];
}

/** A step of any rule list; optional members occur only in some lists. */
export interface Step {
  readonly rule: string;
  readonly name: string;
  readonly order: number;
  readonly outcome: string;
  readonly leaves?: readonly Leaf[];
  readonly action?: string;
  readonly source?: 'true' | 'false';
  readonly effect?:
    | { readonly path: string; readonly query: string }
    | { readonly status: number; readonly location: string };
  readonly writes?: readonly string[];
}
