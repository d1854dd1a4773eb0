import { setTimeout as sleep } from 'node:timers/promises';
import { Channel, credentials } from '@grpc/grpc-js';
import { PublicKey } from '@solana/web3.js';
import { SearcherServiceClient } from 'jito-ts/dist/gen/block-engine/searcher.js';
import { searcherClient } from 'jito-ts/dist/sdk/block-engine/searcher.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BundleHint, type BundleRelay, BundleSendError } from '../../../chain/relay/bundle-relay.ts';
import { createJitoRelay } from '../../../chain/relay/jito-relay.ts';
import { readBundle } from '../../../dev/block-engine/bundle.ts';
import { type BlockEngine, startBlockEngine } from '../../../dev/block-engine/block-engine.ts';
import { type Market, SLOT_MS, startMarket } from '../../support/dev/block-engine-market.ts';

let market: Market;
let engine: BlockEngine;
let relay: BundleRelay;
let tipAccount: PublicKey;
const hints: BundleHint[] = [];

beforeAll(async () => {
  market = await startMarket();
  engine = await startBlockEngine({ port: 0, rpcUrl: market.chain.rpcUrl });
  relay = createJitoRelay({ url: engine.url, connectTimeoutMs: 1_500 });
  tipAccount = (await relay.tipAccounts())[0] ?? PublicKey.default;
  relay.watchHints((hint) => hints.push(hint));
});
afterEach(() => engine.setFault({ fault: 'none' }));
afterAll(async () => {
  relay.close();
  await engine.close();
  await market.chain.close();
});

const landed = (signatures: readonly string[]) =>
  expect.poll(async () => (await market.slotsOf(signatures)).every((slot) => slot !== null)).toBe(true);
const stagesOf = (bundleId: string) => hints.filter((hint) => hint.bundleId === bundleId).map(({ stage }) => stage);
const balanceOf = (account: PublicKey) => market.rpc.connection.getBalance(account, 'processed');

async function outcomeOf(sending: Promise<unknown>): Promise<string> {
  const error: unknown = await sending.then(
    () => 'sent',
    (reason: unknown) => reason,
  );
  return error instanceof BundleSendError ? error.outcome : String(error);
}

describe('a bundle', () => {
  it('lands whole in one slot, in order', async () => {
    const bundle = await market.bundle(tipAccount, 4);
    const { bundleId } = await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
    const slots = await market.slotsOf(bundle.signatures);
    expect(new Set(slots).size).toBe(1);
    await sleep(4 * SLOT_MS);
    const block = await market.rpc.connection.getBlockSignatures(slots[0] ?? 0, 'confirmed');
    expect(block.signatures.filter((one) => bundle.signatures.includes(one))).toEqual(bundle.signatures);
    await expect.poll(() => stagesOf(bundleId)).toEqual(['accepted', 'processed', 'finalized']);
  });

  it('of which one transaction fails lands not at all, and the results name it', async () => {
    const bundle = await market.bundle(tipAccount, 3, { spoilt: 1 });
    const { bundleId } = await relay.sendBundle(bundle.wires);
    await expect.poll(() => stagesOf(bundleId)).toEqual(['rejected']);
    expect(hints.find((hint) => hint.bundleId === bundleId)?.detail).toContain(bundle.signatures[1]);
    await sleep(4 * SLOT_MS);
    expect(await market.slotsOf(bundle.signatures)).toEqual([null, null, null]);
    expect(await balanceOf(bundle.recipients[0] ?? tipAccount)).toBe(0);
  });

  it('that breaks a rule is refused', async () => {
    const bundle = await market.bundle(tipAccount, 2, { tip: 999 });
    await expect(relay.sendBundle(bundle.wires)).rejects.toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('tips 999 lamports') as string,
    });
  });

  it('that has landed is not taken again, and the answer is no proof of absence', async () => {
    const bundle = await market.bundle(tipAccount, 2);
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
    expect(await outcomeOf(relay.sendBundle(bundle.wires))).toBe('unknown');
  });

  it('that is sent many times at once is one bundle', async () => {
    const bundle = await market.bundle(tipAccount, 3);
    const answers = await Promise.all(Array.from({ length: 10 }, () => relay.sendBundle(bundle.wires)));
    const ids = new Set(answers.map(({ bundleId }) => bundleId));
    expect(ids.size).toBe(1);
    await landed(bundle.signatures);
    await expect.poll(() => [...ids].flatMap(stagesOf)).toEqual(['accepted', 'processed', 'finalized']);
  });

  it('that a skipped slot took from the chain lands when it is sent again', async () => {
    const bundle = await market.bundle(tipAccount, 2);
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
    market.chain.control.skipSlot();
    expect(await market.slotsOf(bundle.signatures)).toEqual([null, null]);
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
  });
});

describe('fault', () => {
  it('drop: the bundle is taken and never lands; sent again it does', async () => {
    engine.setFault({ fault: 'drop', times: 1 });
    const bundle = await market.bundle(tipAccount, 2);
    const first = await relay.sendBundle(bundle.wires);
    await sleep(10 * SLOT_MS);
    expect(await market.slotsOf(bundle.signatures)).toEqual([null, null]);
    expect(stagesOf(first.bundleId)).toEqual(['accepted']);
    expect(engine.fault()).toEqual({ fault: 'none' });
    expect(await relay.sendBundle(bundle.wires)).toEqual(first);
    await landed(bundle.signatures);
  });

  it('drop: once its blockhash has expired the results say dropped', async () => {
    engine.setFault({ fault: 'drop', times: 1 });
    const bundle = await market.bundle(tipAccount, 2);
    const { bundleId } = await relay.sendBundle(bundle.wires);
    await expect.poll(() => stagesOf(bundleId)).toEqual(['accepted']);
    market.chain.control.expireBlockhashes();
    await expect.poll(() => stagesOf(bundleId)).toEqual(['accepted', 'dropped']);
  });

  it('delay: the bundle lands later, and a repeat meanwhile is the same bundle', async () => {
    engine.setFault({ fault: 'delay', delayMs: 400, times: 1 });
    const bundle = await market.bundle(tipAccount, 2);
    const first = await relay.sendBundle(bundle.wires);
    expect(await relay.sendBundle(bundle.wires)).toEqual(first);
    await sleep(200);
    expect(await market.slotsOf(bundle.signatures)).toEqual([null, null]);
    await landed(bundle.signatures);
  });

  it('duplicate: the bundle is sent twice and takes effect once', async () => {
    engine.setFault({ fault: 'duplicate', times: 1 });
    const bundle = await market.bundle(tipAccount, 2);
    const before = await balanceOf(tipAccount);
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
    await sleep(4 * SLOT_MS);
    expect(await balanceOf(tipAccount)).toBe(before + 10_000);
    expect(await balanceOf(bundle.recipients[0] ?? tipAccount)).toBe(10_000_000);
  });

  it('prefix: only the first transactions land', async () => {
    engine.setFault({ fault: 'prefix', prefixLength: 2, times: 1 });
    const bundle = await market.bundle(tipAccount, 4);
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures.slice(0, 2));
    await sleep(10 * SLOT_MS);
    expect((await market.slotsOf(bundle.signatures)).slice(2)).toEqual([null, null]);
  });

  it('prefix, once: the rest of a bundle never lands, another bundle is cut as well', async () => {
    engine.setFault({ fault: 'prefix', prefixLength: 2, once: true });
    const [bundle, other] = [await market.bundle(tipAccount, 4), await market.bundle(tipAccount, 3)];
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures.slice(0, 2));
    await relay.sendBundle(bundle.wires.slice(2));
    await relay.sendBundle(other.wires);
    await landed(other.signatures.slice(0, 2));
    await sleep(10 * SLOT_MS);
    const later = [...bundle.signatures.slice(2), ...other.signatures.slice(2)];
    expect(await market.slotsOf(later)).toEqual([null, null, null]);
  });

  it('unknown-status: the send answers an error, no result comes, and the bundle lands', async () => {
    engine.setFault({ fault: 'unknown-status', times: 1 });
    const bundle = await market.bundle(tipAccount, 2);
    expect(await outcomeOf(relay.sendBundle(bundle.wires))).toBe('unknown');
    await landed(bundle.signatures);
    await sleep(600);
    expect(stagesOf(readBundle(bundle.wires, new Set(engine.tipAccounts)).id)).toEqual([]);
  });

  it('unreachable with a count: that many sends are answered UNAVAILABLE', async () => {
    engine.setFault({ fault: 'unreachable', times: 2 });
    const bundle = await market.bundle(tipAccount, 2);
    expect(await outcomeOf(relay.sendBundle(bundle.wires))).toBe('unknown');
    expect(await outcomeOf(relay.sendBundle(bundle.wires))).toBe('unknown');
    await relay.sendBundle(bundle.wires);
    await landed(bundle.signatures);
  });

  it('unreachable: connections are cut and refused until it ends, and the same relay finds back', async () => {
    const bundle = await market.bundle(tipAccount, 2);
    engine.setFault({ fault: 'unreachable' });
    await expect.poll(() => outcomeOf(relay.sendBundle(bundle.wires))).toBe('refused');
    await expect(relay.tipAccounts()).rejects.toThrow('no connection to block engine');
    engine.setFault({ fault: 'none' });
    // A new one: the first one's blockhash may have expired while the connection was given up.
    const next = await market.bundle(tipAccount, 2);
    await relay.sendBundle(next.wires);
    await landed(next.signatures);
  });
});

describe('the admin server', () => {
  const post = (body: string) =>
    fetch(`${engine.adminUrl}/fault`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  it('sets and shows the fault', async () => {
    expect((await post('{"fault":"delay","delayMs":5,"times":3}')).status).toBe(200);
    expect(await (await fetch(`${engine.adminUrl}/fault`)).json()).toEqual({ fault: 'delay', delayMs: 5, times: 3 });
    expect(engine.fault()).toEqual({ fault: 'delay', delayMs: 5, times: 3 });
  });

  it.each(['{"fault":"explode"}', '{', '""'])('refuses %s and keeps the fault', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('error');
    expect(engine.fault()).toEqual({ fault: 'none' });
  });

  it('answers its health, and 404 elsewhere', async () => {
    expect((await fetch(`${engine.adminUrl}/health`)).status).toBe(200);
    expect((await fetch(`${engine.adminUrl}/`)).status).toBe(404);
  });
});

describe('jito-ts as it comes', () => {
  it('reads tip accounts and leaders through its own client', async () => {
    const channels: Channel[] = [];
    const client = searcherClient(engine.url.replace('http://', ''), undefined, {
      channelFactoryOverride: (address: string, _credentials: unknown, options: object) => {
        const channel = new Channel(address, credentials.createInsecure(), options);
        channels.push(channel);
        return channel;
      },
    });
    expect(await client.getTipAccounts()).toEqual({ ok: true, value: engine.tipAccounts });
    const leader = await client.getNextScheduledLeader();
    expect(leader.ok && leader.value.nextLeaderSlot - leader.value.currentSlot).toBe(1);
    const leaders = await client.getConnectedLeaders();
    expect(leader.ok && leaders.ok && Object.keys(leaders.value)).toEqual(
      leader.ok && [leader.value.nextLeaderIdentity],
    );
    for (const channel of channels) channel.close();
  });

  it('reads regions through the generated client', async () => {
    const client = new SearcherServiceClient(engine.url.replace('http://', ''), credentials.createInsecure());
    const regions = await new Promise((resolve, reject) => {
      client.getRegions({}, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    expect(regions).toEqual({ currentRegion: 'local', availableRegions: ['local'] });
    client.close();
  });
});
