import { AddressLookupTableProgram, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { land } from '../../support/claim/claim-market.ts';
import { configAccount } from '../../support/exchange/raydium/real-program.ts';
import { traceOf } from '../../support/platform/chain-facts.ts';
import { createCreator } from '../../support/platform/creator.ts';
import { localPair } from '../../support/platform/local-pair.ts';
import type { Platform } from '../../support/platform/platform.ts';
import { hasClmm, resetTiers, startRaydiumPlatform, UNTABLED } from '../../support/platform/raydium-platform.ts';

const NOT_CHARGED = { http: 503, status: 'service_unavailable', charged: false };
const NOTHING = { wallet: null, token: null, transactions: 0 };
const SOL = 5;

describe.runIf(hasClmm)('what changes on Raydium between prepare and submit costs the creator nothing', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startRaydiumPlatform({ slotMs: 100 });
  });
  afterEach(() => resetTiers(platform.chain.control));
  afterAll(() => platform.close());

  /** Changes the account of the 1 % tier; null removes it. */
  function changeTier(feePpm: number | null): void {
    const [address, account] = configAccount(3, feePpm ?? 0);
    platform.chain.control.setAccounts([[address, feePpm === null ? null : account]]);
    platform.chain.control.advanceSlots(2);
  }

  test.each([
    ['takes another fee', 15_000, 'takes 15000 ppm'],
    ['is gone', null, 'there is no configuration'],
  ])('a tier that %s', async (_what, feePpm, reason) => {
    const creator = await createCreator(platform, SOL);
    const prepared = await creator.prepare({ devBuyPercent: 1 });
    changeTier(feePpm);
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject(NOT_CHARGED);
    expect(answer.error?.message).toContain(reason);
    expect(await traceOf(platform, prepared)).toEqual({ ...NOTHING, ledger: [] });
    expect(await creator.balance()).toBe(SOL * LAMPORTS_PER_SOL);
    expect(await creator.tryPrepare()).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
    expect((await creator.prepare({ feeTier: '2%' })).quoteId).not.toBe(prepared.quoteId);
  });

  test('a tier that takes another fee once the bundle is signed is caught by the simulation on the real program', async () => {
    const creator = await createCreator(platform, SOL);
    const held = platform.gate.hold('simulateBundle');
    const prepared = await creator.prepare({ devBuyPercent: 1 });
    const pending = creator.submit(creator.sign(prepared));
    await held.reached;
    changeTier(15_000);
    held.release();
    const answer = await pending;
    expect(answer).toMatchObject(NOT_CHARGED);
    expect(answer.error?.message).toContain('the chain would refuse the pool');
    expect(await traceOf(platform, prepared)).toMatchObject(NOTHING);
    expect(await creator.balance()).toBe(SOL * LAMPORTS_PER_SOL);
  });

  test('a pair that the lookup table lacks has no dev buys, and launches without one', async () => {
    const creator = await createCreator(platform, SOL);
    const body = { quoteMint: localPair(UNTABLED).mint.toBase58() };
    const refused = await creator.tryPrepare({ ...body, devBuyPercent: 1 });
    expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
    expect(refused.error?.message).toContain(`the lookup table lacks ${UNTABLED}: mint (${body.quoteMint})`);
    expect((await creator.launchToEnd(body)).answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  // The last one: no launch works afterwards.
  test('a lookup table that was deactivated', async () => {
    const creator = await createCreator(platform, SOL);
    const prepared = await creator.prepare({ devBuyPercent: 1 });
    const owner = Keypair.fromSecretKey(bs58.decode(platform.secrets.PLATFORM_SECRET_KEY));
    const lookupTable = new PublicKey(platform.variables['LOOKUP_TABLE'] ?? '');
    const parties = { lookupTable, authority: owner.publicKey };
    await land(platform, owner, [AddressLookupTableProgram.deactivateLookupTable(parties)]);
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject(NOT_CHARGED);
    expect(answer.error?.message).toContain('was deactivated');
    expect(await traceOf(platform, prepared)).toEqual({ ...NOTHING, ledger: [] });
    expect(await creator.balance()).toBe(SOL * LAMPORTS_PER_SOL);
    const next = await creator.tryPrepare({ devBuyPercent: 1 });
    expect(next).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
    expect(next.error?.message).toContain('was deactivated');
  });
});
