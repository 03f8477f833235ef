import type { RoutedZone } from '../routing/zone-table.ts';

/** What the first process tells one that answers requests. They are handled in order. */
export type ToWorker =
  | { readonly type: 'begin'; readonly zones: readonly RoutedZone[] }
  | { readonly type: 'put'; readonly zone: RoutedZone }
  | { readonly type: 'remove'; readonly id: string }
  | Question;

/** What wants a reply with the same number. */
export interface Question {
  readonly type: 'settle' | 'measure';
  readonly number: number;
}

/** What a process that answers requests tells the first one. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'reply'; readonly number: number; readonly value: unknown }
  | { readonly type: 'lost'; readonly zone: RoutedZone }
  | { readonly type: 'failed'; readonly line: string };
