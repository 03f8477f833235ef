import { z } from 'zod';
import { choice } from './config-values.ts';

/** The OpenTelemetry variables that are evaluated here; its libraries read the others. */
export const tracesVariables = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: choice('otlp', 'none').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice('http/protobuf').optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: choice('http/protobuf').optional(),
} as const;

type Variables = { readonly [Name in keyof typeof tracesVariables]: z.output<(typeof tracesVariables)[Name]> };

/**
 * Follows "Exporter Selection" of the OpenTelemetry specification, except that traces are only sent if an endpoint is
 * configured.
 */
export function wantsTraces(given: Partial<Variables>): boolean {
  if (given.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT;
  return (given.OTEL_TRACES_EXPORTER ?? (endpoint === undefined ? 'none' : 'otlp')) === 'otlp';
}
