import Type, { type Static, type TObject } from 'typebox';
import { isPrivate } from './transport.ts';

export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s@]+$',
      title: 'an http or https URL without credentials',
      description: 'OpenTelemetry collector (OTLP over HTTP), without `/v1/traces`; default: no traces',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[^\\s=,]+=[^\\s,]*(,[^\\s=,]+=[^\\s,]*)*$',
      title: 'a list name=value[,name=value], percent-encoded',
      description: 'Headers for the collector, such as a key',
      writeOnly: true,
    }),
  ),
};

type TraceValues = Static<TObject<typeof traceVariables>>;

export interface TracesConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Null: none. */
export function tracesConfig(values: TraceValues): TracesConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = values;
  if (endpoint === undefined) return null;
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: Object.fromEntries(pairsOf(headers)) };
}

export function traceProblems(values: TraceValues): string[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = values;
  return [
    ...(endpoint === undefined || URL.canParse(endpoint) ? [] : ['OTEL_EXPORTER_OTLP_ENDPOINT is no URL']),
    ...(isEncoded(headers) ? [] : ['OTEL_EXPORTER_OTLP_HEADERS is not percent-encoded']),
  ];
}

export function traceProductionProblems(values: TraceValues): string[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined || headers === undefined || isPrivate(endpoint)) return [];
  return [
    'OTEL_EXPORTER_OTLP_HEADERS would go to another machine in plain text; OTEL_EXPORTER_OTLP_ENDPOINT needs https',
  ];
}

function pairsOf(headers: string): [string, string][] {
  return headers
    .split(',')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, decodeURIComponent(value.join('='))];
    });
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // a "%" without a valid byte
  }
}
