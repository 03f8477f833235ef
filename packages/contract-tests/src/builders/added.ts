/** The argument of a method that adds something. */
export type Added<Port extends (item: never, ...rest: never[]) => unknown> = Parameters<Port>[0];
