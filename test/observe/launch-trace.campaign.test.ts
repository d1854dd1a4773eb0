import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import * as switches from '../../db/platform/switches.ts';
import { AIRDROP } from '../support/airdrop/airdrop-platform.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';
import { type Collector, startCollector } from '../support/observe/collector.ts';
import type { ReceivedSpan } from '../support/observe/otlp.ts';
import { createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { spellingsOf } from '../support/platform/secrets.ts';
import { untilWorkflowEnded } from '../support/platform/workflow-history.ts';

/** What the path of an RPC endpoint holds, where providers have a key. */
const RPC_KEY = 'endpoint-with-a-key';

let collector: Collector;
let platform: Platform;
let market: Market;
beforeAll(async () => {
  collector = await startCollector();
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  platform = await startPlatform({ variables, endpoints: [RPC_KEY] });
  market = await openMarket(platform);
});
afterAll(async () => {
  await platform.close();
  await collector.close();
});

type Wanted = Pick<ReceivedSpan, 'name'> & Partial<Pick<ReceivedSpan, 'traceId'>> & { fields?: Record<string, string> };

/** Waits for a span by its name, trace and some of its fields: they come some time after what they tell of. */
function untilSpan({ name, traceId, fields = {} }: Wanted): Promise<ReceivedSpan> {
  const isIt = (span: ReceivedSpan) =>
    span.name === name &&
    (traceId === undefined || span.traceId === traceId) &&
    Object.entries(fields).every(([key, value]) => span.fields[key] === value);
  return eventually(
    async () => collector.spans.find(isIt) ?? null,
    `span ${name}`,
    () => namesOf(traceId),
  );
}

function namesOf(traceId: string | undefined): string {
  return collector.spans.map((span) => `${span.name}${span.traceId === traceId ? ' (of the trace)' : ''}`).join('\n');
}

describe('one launch', () => {
  let trace: readonly ReceivedSpan[];
  let submit: ReceivedSpan;
  beforeAll(async () => {
    const { mint, prepared } = market;
    submit = await untilSpan({ name: 'POST /api/public/v1/launches/submit', fields: { mint, outcome: 'completed' } });
    await untilWorkflowEnded(platform, prepared);
    const { traceId } = submit;
    await untilSpan({ name: 'workflow launch', traceId });
    trace = collector.spans.filter((span) => span.traceId === traceId);
  });

  const only = (name: string): ReceivedSpan => {
    const [span, ...others] = trace.filter((one) => one.name === name);
    if (!span || others.length > 0) throw new Error(`${name}: ${others.length + (span ? 1 : 0)} spans, not one`);
    return span;
  };
  const partsOf = ({ spanId }: ReceivedSpan) => trace.filter(({ parentSpanId }) => parentSpanId === spanId);

  it('is one trace from its request through its workflow and activities to its calls', () => {
    const start = only('start launch, update outcome');
    const run = only('workflow launch');
    const land = only('landBundle');
    expect(submit).toMatchObject({ service: 'slipway-api', parentSpanId: '', hasFailed: false });
    expect(start).toMatchObject({ service: 'slipway-api', parentSpanId: submit.spanId });
    expect(run).toMatchObject({ service: 'slipway-worker', parentSpanId: start.spanId });
    for (const step of [
      'openLaunch',
      'assembleBundle',
      'storeMetadata',
      'landBundle',
      'recordLaunch',
      'finalizeLaunch',
    ]) {
      expect(only(step)).toMatchObject({ service: 'slipway-worker', parentSpanId: run.spanId });
    }
    const calledBy = (step: ReceivedSpan) => partsOf(step).map(({ name }) => name);
    expect(calledBy(only('storeMetadata'))).toContain('block engine sendBundle');
    expect(calledBy(land)).toContain('rpc getSignatureStatuses');
    expect(partsOf(submit).map(({ name }) => name)).toContain('rpc getEpochInfo');
    const known = new Set(trace.map(({ spanId }) => spanId));
    expect(trace.filter(({ parentSpanId }) => parentSpanId !== '' && !known.has(parentSpanId))).toEqual([]);
  });

  it('says what it is about, in the words of the log', () => {
    const { quoteId } = market.prepared;
    const workflowId = launchWorkflowId(quoteId);
    const { paymentSignature } = submit.fields;
    expect(submit.fields).toMatchObject({
      'http.route': '/api/public/v1/launches/submit',
      'http.response.status_code': '200',
      quoteId,
      workflowId,
      mint: market.mint,
      outcome: 'completed',
    });
    expect(paymentSignature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    expect(only('workflow launch').fields).toMatchObject({ quoteId, workflowId });
    expect(only('recordLaunch').fields).toMatchObject({
      quoteId,
      workflowId,
      mint: market.mint,
      paymentSignature,
      attempt: '1',
    });
    const [call] = partsOf(only('landBundle')).filter(({ name }) => name === 'rpc getSignatureStatuses');
    expect(call?.fields).toEqual({
      'rpc.system': 'jsonrpc',
      'rpc.method': 'getSignatureStatuses',
      'server.address': new URL(platform.chain.rpcUrl).host,
      outcome: 'answered',
    });
    const lines = platform.log.lines.filter((line) => line.includes(submit.traceId));
    expect(lines.some((line) => line.includes(quoteId) && line.includes('"msg":"request"'))).toBe(true);
  });

  it('leaves a history that a worker without traces goes on with', async () => {
    const workflowId = launchWorkflowId(market.prepared.quoteId);
    const history = await platform.client.workflow.getHandle(workflowId).fetchHistory();
    expect(history.events?.[0]?.workflowExecutionStartedEventAttributes?.header?.fields).toHaveProperty('_tracer-data');
    const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, pino({ level: 'silent' }));
    await expect(Worker.runReplayHistory({ workflowBundle }, history, workflowId)).resolves.toBeUndefined();
  });
});

describe('one airdrop', () => {
  it('is part of the trace of its launch, from the moment that nothing can take the launch back', async () => {
    await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for an airdrop' });
    const creator = await createCreator(platform, 50);
    const { prepared } = await creator.launchToEnd(AIRDROP);
    const { quoteId } = prepared;
    const name = 'POST /api/public/v1/launches/submit';
    const { traceId } = await untilSpan({ name, fields: { quoteId, outcome: 'completed' } });
    const finalized = await untilSpan({ name: 'finalizeLaunch', traceId });
    const start = await untilSpan({ name: 'start airdrop', traceId });
    const run = await untilSpan({ name: 'workflow airdrop', traceId, fields: { quoteId } });
    const sent = await untilSpan({ name: 'rpc sendTransaction', traceId });
    const ancestors = ancestorsOf(sent);
    expect([start.parentSpanId, run.parentSpanId]).toEqual([finalized.spanId, start.spanId]);
    expect(ancestors).toContain(run.spanId);
  });
});

/** Span ids of what a span happened in, nearest first. */
function ancestorsOf({ traceId, parentSpanId }: ReceivedSpan): string[] {
  const parent = collector.spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId);
  return parent ? [parent.spanId, ...ancestorsOf(parent)] : [];
}

describe('one claim', () => {
  it('is one trace from its submit to the chain', async () => {
    const { mint, creator } = market;
    await market.trade('buy', 5_000_000_000n);
    await market.trade('sell', 3_000_000_000_000_000n);
    const prepared = await prepareClaim(platform, mint, creator.keypair);
    const answer = await submitClaim(platform, prepared, creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { landed: true } });

    const { intentId } = prepared;
    const name = 'POST /api/public/v1/tokens/:mint/fees/claim/submit';
    const submit = await untilSpan({ name, fields: { mint, intentId, outcome: 'landed' } });
    const { traceId } = submit;
    const update = await untilSpan({ name: 'update outcome', traceId });
    const relay = await untilSpan({ name: 'relayClaim', traceId, fields: { intentId } });
    const sent = await untilSpan({ name: 'rpc sendTransaction', traceId });
    expect([update.parentSpanId, relay.parentSpanId, sent.parentSpanId]).toEqual([
      submit.spanId,
      update.spanId,
      relay.spanId,
    ]);
  });
});

describe('what reaches the collector', () => {
  it('holds no secret, no logo and no bytes of a transaction', () => {
    const all = Buffer.concat(collector.bodies).toString('latin1');
    expect(all).toContain(market.prepared.quoteId);
    for (const spelling of spellingsOf(platform.secrets)) expect(all).not.toContain(spelling);
    for (const text of [RPC_KEY, market.prepared.signedQuote, market.prepared.paymentTransaction]) {
      expect(all).not.toContain(text);
    }
    expect(all).not.toContain(market.prepared.logo.slice(-200));
  });

  it('is nothing of reads, and nothing of what no request asked for', () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.length).toBeGreaterThan(1);
    expect(roots.map(({ name }) => name).filter((name) => !/^(POST |start )/.test(name))).toEqual([]);
  });
});
