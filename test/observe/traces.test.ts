import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from '../support/observe/collector.ts';
import { openTraces, type TracesSettings } from '../../observe/traces/open-traces.ts';
import { recordCall } from '../../observe/traces/rpc-spans.ts';
import { inSpan, type Traces } from '../../observe/traces/traces.ts';

const ROOT = join(import.meta.dirname, '../..');

let collector: Collector;
afterEach(() => collector.close());

interface Opened {
  readonly traces: Traces;
  readonly lost: unknown[];
}

async function open(settings: Partial<TracesSettings> = {}): Promise<Opened> {
  const lost: unknown[] = [];
  const { endpoint } = collector;
  const traces = await openTraces(
    {
      traces: { url: `${endpoint}/v1/traces`, headers: { 'x-key': 'k' } },
      environment: 'test',
      shutdownGraceMs: 6_000,
      ...settings,
    },
    'slipway-test',
    { warn: ({ err }) => void lost.push(err) },
  );
  if (traces === null) throw new Error('no traces although there is a collector');
  return { traces, lost };
}

const CALL = { host: 'rpc.example:8899', method: 'getSlot', outcome: 'answered', seconds: 0.5 };

describe('traces', () => {
  it('put what runs in a span under it, and hand all on when they are closed', async () => {
    collector = await startCollector();
    const { traces, lost } = await open();
    const outer = traces.begin('outer', { kind: 'server', fields: { quoteId: 'q1', attempt: 2, left: undefined } });
    await inSpan(outer, async () => {
      const inner = traces.begin('inner');
      await inSpan(inner, async () => recordCall(traces, CALL));
    });
    await traces.close();

    const named = (name: string) => collector.spans.find((span) => span.name === name);
    const [call, inner, own] = [named('rpc getSlot'), named('inner'), named('outer')];
    expect(own).toMatchObject({ service: 'slipway-test', parentSpanId: '', ...outer.at, hasFailed: false });
    expect(own?.fields).toEqual({ quoteId: 'q1', attempt: '2' });
    expect(inner).toMatchObject({ traceId: outer.at.traceId, parentSpanId: outer.at.spanId });
    expect(call).toMatchObject({ traceId: outer.at.traceId, parentSpanId: inner?.spanId });
    expect(Number(call!.endedAt - call!.startedAt) / 1e9).toBeCloseTo(CALL.seconds, 1);
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'k' });
    expect(lost).toEqual([]);
  });

  it('name a failure without what it says', async () => {
    collector = await startCollector();
    const { traces } = await open();
    const failing = inSpan(traces.begin('fails'), () => Promise.reject(new RangeError('with a secret in it')));
    await expect(failing).rejects.toThrow(RangeError);
    await traces.close();
    expect(collector.spans).toEqual([expect.objectContaining({ name: 'fails', hasFailed: true })]);
    expect(collector.spans[0]?.fields).toEqual({ 'error.type': 'RangeError' });
    expect(Buffer.concat(collector.bodies).toString('latin1')).not.toContain('secret');
  });

  it('have no part of a span in what outlives it', async () => {
    collector = await startCollector();
    const { traces } = await open();
    const gate = Promise.withResolvers<void>();
    const span = traces.begin('request');
    const outliving = span.run(async () => {
      await gate.promise;
      recordCall(traces, CALL);
      return traces.current();
    });
    span.end();
    gate.resolve();
    expect(await outliving).toBeNull();
    await traces.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['request']);
  });

  it('hold nothing up when the collector does not answer, and say so', async () => {
    collector = await startCollector({ silent: true });
    const { traces, lost } = await open({ shutdownGraceMs: 400 });
    for (let number = 0; number < 10_000; number++) traces.begin('one of many').end();
    const started = performance.now();
    await traces.close();
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(lost).toEqual([expect.objectContaining({ message: 'no answer within 200 ms' })]);
  });

  it('load nothing of OpenTelemetry’s SDK while there is no collector', async () => {
    collector = await startCollector();
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { openTraces } = await import('./observe/traces/open-traces.ts');
      await Promise.all([import('./api/app.ts'), import('./worker/worker.ts')]);
      const settings = { traces: null, environment: 'test', shutdownGraceMs: 1 };
      const opened = await openTraces(settings, 'none', console);
      // The metrics' library asks the bare interface for the trace of an exemplar.
      const sdk = loaded.filter((url) => /@opentelemetry.(?!api)/.test(url));
      console.log(JSON.stringify({ opened, sdk, many: loaded.length > 100 }));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({ opened: null, sdk: [], many: true });
  });
});
