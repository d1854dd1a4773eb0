import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as launches from '../../db/launch/launches.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const NOT_CHARGED = {
  http: 503,
  status: 'service_unavailable',
  charged: false,
  error: { code: 'service_unavailable', retryable: true },
};
/** More than a bundle takes from the block engine into a block. */
const SLOTS_TO_LAND = 5;

const NOTHING = { wallet: null, token: null, transactions: 0 };

describe('an expired quote', () => {
  it.each([
    ['just expired', 152],
    ['with fewer blocks left than a launch needs', 132],
    ['expired long ago', 400],
  ])('%s is refused before anything is signed', async (_what, slots) => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare();
    platform.chain.control.advanceSlots(slots);
    const submission = creator.sign(prepared);
    const answer = await creator.submit(submission);
    const paymentSignature = signatureIn(submission.signedTransaction);
    expect(answer).toMatchObject({ ...NOT_CHARGED, paymentSignature });
    expect(answer.error?.message).toContain('the quote came too late');
    expect(await traceOf(platform, prepared)).toEqual({ ...NOTHING, ledger: [] });
    const status = await creator.status(paymentSignature);
    expect(status).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(await creator.balance()).toBe(2 * LAMPORTS_PER_SOL);
  });
});

describe('a creator who cannot pay', () => {
  it.each([
    ['has nothing', 0],
    ['has a little too little', 0.29],
    ['would keep less than its rent', 0.2905],
  ])('and %s is told so at once; nothing was charged, signed or stored', async (_what, sol) => {
    const creator = await createCreator(platform, sol);
    const prepared = await creator.prepare({ name: `Empty ${sol}` });
    const submission = creator.sign(prepared);
    const answer = await creator.submit(submission);
    expect(answer).toMatchObject(NOT_CHARGED);
    expect(answer.error?.message).toContain(`holds ${sol} SOL; the payment takes 0.29 SOL and its network fee 0.00`);
    expect(await traceOf(platform, prepared)).toEqual({ ...NOTHING, ledger: [] });
    expect(platform.gate.calls('landBundle', prepared.quoteId)).toBe(0);
    expect(platform.gate.calls('storeMetadata', prepared.quoteId)).toBe(0);
    expect(await creator.submit(submission)).toEqual(answer);
    const status = await creator.status(signatureIn(submission.signedTransaction));
    expect(status).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(await creator.balance()).toBe(sol * LAMPORTS_PER_SOL);
  });

  it('keeps no stock of a dev buy from those who can, not even while it is looked into', async () => {
    const creator = await createCreator(platform, 0);
    const prepared = await creator.prepare({ devBuyPercent: 2.5 });
    expect(await creator.submit(creator.sign(prepared))).toMatchObject(NOT_CHARGED);
    const states = await launches.history(platform.db, prepared.quoteId);
    // A launch reserves from `preparing` on.
    expect(states.map(({ state }) => state)).toEqual(['received', 'not_landed']);
    expect(await traceOf(platform, prepared)).toEqual({ ...NOTHING, ledger: [] });
  });

  it('who had the money at prepare and spent it before the simulation is told the same', async () => {
    const creator = await createCreator(platform);
    const held = platform.gate.hold('simulateBundle');
    const prepared = await creator.prepare();
    const pending = creator.submit(creator.sign(prepared));
    await held.reached;
    // Whatever was sent before it was simulated would land meanwhile.
    const slot = await platform.connection.getSlot('processed');
    await eventually(async () => (await platform.connection.getSlot('processed')) > slot + SLOTS_TO_LAND || null);
    platform.chain.control.setAccounts([[creator.address.toBase58(), null]]);
    held.release();
    expect(await pending).toMatchObject(NOT_CHARGED);
    expect(await traceOf(platform, prepared)).toMatchObject(NOTHING);
  });

  it('can launch with a fresh quote afterwards', async () => {
    const creator = await createCreator(platform, 0);
    expect((await creator.launch()).answer).toMatchObject(NOT_CHARGED);
    platform.chain.control.fund(creator.address.toBase58(), BigInt(LAMPORTS_PER_SOL));
    platform.chain.control.advanceSlots(2);
    const { prepared, answer } = await creator.launch();
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
    await untilState(platform, prepared, 'finalized');
  });
});

describe('a launch that is not simulated before its quote expires', () => {
  it('is given up without having been sent', async () => {
    const creator = await createCreator(platform);
    const held = platform.gate.hold('simulateBundle');
    const prepared = await creator.prepare();
    const pending = creator.submit(creator.sign(prepared));
    await held.reached;
    platform.chain.control.expireBlockhashes();
    held.release();
    expect(await pending).toMatchObject(NOT_CHARGED);
    expect(await traceOf(platform, prepared)).toMatchObject(NOTHING);
    expect(await creator.balance()).toBe(2 * LAMPORTS_PER_SOL);
  });
});
