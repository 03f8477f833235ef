import { type Operation, openApi, operations } from '../../support/openapi.ts';

/** Maps with arbitrary names, which do not affect the rendering. */
const maps = ['properties', 'responses', 'headers', 'content'];
const texts = ['description', 'summary', 'operationId', 'tags', 'example', 'examples', 'default', 'const', 'enum'];
const kinds = ['type', 'in', 'format'];

/** The schema features an operation makes the page render, following references. */
function featuresOf(value: unknown, within: readonly string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => featuresOf(each, within));
  const { $ref, ...own } = value as Readonly<Record<string, unknown>>;
  const referred =
    typeof $ref !== 'string' || within.includes($ref) ? [] : featuresOf(targetOf($ref), [...within, $ref]);
  const found = Object.entries(own).flatMap(([name, each]) => {
    if (maps.includes(name)) return [name, ...Object.values(each ?? {}).flatMap((part) => featuresOf(part, within))];
    if (texts.includes(name)) return [name];
    return [kinds.includes(name) ? `${name} ${String(each)}` : name, ...featuresOf(each, within)];
  });
  return [...found, ...referred];
}

const targetOf = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], openApi);

/**
 * A small set of operations that covers every feature: a browser needs a second per operation, and operations with the
 * same features are rendered by the same code.
 */
export function operationSample(): readonly Operation[] {
  const all = operations.map(({ operation }) => ({ operation, features: new Set(featuresOf(operation)) }));
  const missing = new Set(all.flatMap(({ features }) => [...features]));
  const sample: Operation[] = [];
  while (missing.size > 0) {
    const gain = ({ features }: (typeof all)[number]) => [...features].filter((each) => missing.has(each)).length;
    const best = all.reduce((best, each) => (gain(each) > gain(best) ? each : best));
    sample.push(best.operation);
    for (const feature of best.features) missing.delete(feature);
  }
  return sample;
}
