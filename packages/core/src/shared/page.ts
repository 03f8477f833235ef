/** Which part of a list is asked for. */
export interface PageRequest {
  /** 1-based. */
  readonly page: number;
  /** 0..100; 0 asks for the total only (interface, "Limits"). */
  readonly itemsPerPage: number;
}

/** One part of a list, and how many items the whole list has. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** Number of items before the asked page. */
export const offsetOf = ({ page, itemsPerPage }: PageRequest): number => (page - 1) * itemsPerPage;
