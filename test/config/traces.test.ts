import { describe, expect, it } from 'vitest';
import { readApiConfig } from '../../config/api.ts';
import type { Variables } from '../../config/environment.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { API_VARIABLES, WORKER_VARIABLES } from '../support/variables.ts';

const both = [
  ['API', (changes: Variables) => readApiConfig({ ...API_VARIABLES, ...changes })],
  ['worker', (changes: Variables) => readWorkerConfig({ ...WORKER_VARIABLES, ...changes })],
] as const;

describe.each(both)('traces of the %s', (_process, read) => {
  it('go nowhere unless a collector is named', () => {
    expect(read({}).traces).toBeNull();
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).traces).toBeNull();
  });

  it('go to the collector, with the headers it asks for', () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/' }).traces).toEqual({
      url: 'http://collector.example:4318/v1/traces',
      headers: {},
    });
    const withKey = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20a2V5PQ==,x-scope=slipway',
    };
    expect(read(withKey).traces).toEqual({
      url: 'https://otlp.example/otlp/v1/traces',
      headers: { authorization: 'Basic a2V5PQ==', 'x-scope': 'slipway' },
    });
  });

  it.each<[string, Variables, string]>([
    ['an address that is none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be an http or https URL'],
    ['credentials in the address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:b@c:4318' }, 'without credentials'],
    ['a header that cannot be read', { OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }, 'is not percent-encoded'],
    [
      'a key in plain text in production',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k' },
      'would go to another machine in plain text',
    ],
  ])('refuse %s', (_what, changes, problem) => {
    expect(() => read(changes)).toThrow(problem);
  });

  it('never show a key', () => {
    expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: 'secret value' })).toThrow('must be a list name=value');
    expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: 'secret value' })).not.toThrow('secret value');
  });
});
