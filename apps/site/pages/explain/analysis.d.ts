/** Responses of `findings` and `behaviour` (docs/api-guide.md), limited to what the page shows. */

/** A request that demonstrates the statement. */
export interface Witness {
  readonly scheme: string;
  readonly authority: string;
  readonly target: string;
  readonly method: string;
  readonly ip: string;
  readonly country: string;
  readonly asn: number | null;
  readonly status?: number;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

export interface Finding {
  readonly severity: 'error' | 'warning' | 'info';
  readonly verdict: 'proven' | 'undecided';
  readonly message: string;
  readonly rules: readonly string[];
  readonly witness?: Witness;
  readonly counterpart?: Witness;
  readonly new?: boolean;
}

export interface Findings {
  readonly revision: number;
  readonly draft: boolean;
  readonly complete: boolean;
  readonly totalItems: number;
  readonly member: readonly Finding[];
}

export interface BehaviourChange {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly because: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly message: string;
  readonly witness: Witness;
}

export interface BehaviourDiff {
  readonly from: number;
  readonly to?: number;
  readonly complete: boolean;
  readonly harmless: boolean;
  readonly message: string;
  readonly changes: readonly BehaviourChange[];
}
