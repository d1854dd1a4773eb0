import { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMint } from '../../chain/tokens/read-mint.ts';
import { readBalance } from '../../chain/tokens/token-balance.ts';
import { quoteTokenOf } from '../../chain/launch/pool-request.ts';
import { createLaunchActivities } from '../../activities/launch/activities.ts';
import { type SpendablePrice, worthSpendable } from '../../domain/trading/spendable-price.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import * as launches from '../../db/launch/launches.ts';
import { AIRDROP } from '../support/airdrop/airdrop-platform.ts';
import { type Creator, createCreator, type Prepared, signatureIn } from '../support/platform/creator.ts';
import { landedMemos } from '../support/platform/chain-facts.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { untilState } from '../support/platform/until-state.ts';
import { landedMovements } from '../support/lanes/landed.ts';

let platform: Platform;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

async function blockedReasonOf(prepared: Prepared, reason: RegExp): Promise<string> {
  return eventually(async () => {
    const { state, blockedReason } = await launchOf(prepared);
    return state === 'needs_recovery' && blockedReason !== null && reason.test(blockedReason) ? blockedReason : null;
  });
}

async function launchOf({ quoteId }: Prepared) {
  const launch = await launches.byQuoteId(platform.db, quoteId);
  if (!launch) throw new Error(`no launch ${quoteId}`);
  return launch;
}

async function inventoryOf(launch: Awaited<ReturnType<typeof launchOf>>): Promise<bigint> {
  const treasury = new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY));
  return (await readBalance(platform.connection, quoteTokenOf(launch.terms), treasury)).heldRaw;
}

describe('a parked launch that an operator refunds', () => {
  it.each([
    [1, 'standard', {}],
    [2, 'standard', {}],
    [2, 'standard with a dev buy', { devBuyPercent: 1 }],
    [2, 'reward with a dev buy', { mode: 'reward', devBuySol: 0.2 }],
    [2, 'reward with an airdrop and a dev buy', { ...AIRDROP, devBuySol: 0.2 }],
  ])('after %i landed transactions (%s) gives back payment and network fee, once', async (prefix, _what, wish) => {
    const { prepared, submission, pending } = await parkAfterPrefix(platform, creator, prefix, wish);
    expect((await pending).http).toBe(409);
    expect(await creator.balance()).toBeLessThan(before);

    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');

    expect(await creator.balance()).toBe(before);
    const { refundSignature, paymentSignature } = await launchOf(prepared);
    expect(paymentSignature).toBe(signatureIn(submission.signedTransaction));
    expect(await creator.status(signatureIn(submission.signedTransaction))).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      charged: false,
      refundSignature,
    });
    expect(await creator.submit(submission)).toMatchObject({ http: 503, charged: false });
    const refund = `refund/${prepared.quoteId}`;
    const landed = await landedMovements(platform, creator.keypair.publicKey, [refund]);
    expect(landed.filter((purpose) => purpose === refund)).toHaveLength(1);
  });

  it('burns the supply and returns the quote tokens of the dev buy', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 2, { devBuyPercent: 1 });
    const launch = await launchOf(prepared);
    const held = await inventoryOf(launch);
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');
    const mint = await readMint(platform.connection, new PublicKey(prepared.mint), 'confirmed');
    expect(mint?.supplyRaw).toBe(0n);
    expect(await inventoryOf(launch)).toBe(held + BigInt(launch.terms.devBuy?.maxQuoteRaw ?? -1));
  });

  it('burns an airdrop’s share with the supply, and delivers nothing', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 2, AIRDROP);
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');
    const mint = await readMint(platform.connection, new PublicKey(prepared.mint), 'confirmed');
    expect(mint?.supplyRaw).toBe(0n);
    expect(await airdrops.byQuoteId(platform.db, prepared.quoteId)).toBeNull();
  });

  it('is refused once the pool exists, and can still be resumed', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 3);
    await resolve(platform, prepared, 'refund');
    await blockedReasonOf(prepared, /refund is not possible: the pool exists/);
    platform.engine.setFault({ fault: 'none' });
    await resolve(platform, prepared, 'resume');
    await untilState(platform, prepared, 'finalized');
    await expectLaunchedOnce(platform, creator, prepared, before);
  });
});

describe('a parked launch that an operator records', () => {
  it('is refused while mint, pool or locks are missing, and says which', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 2);
    await resolve(platform, prepared, 'record');
    const reason = await blockedReasonOf(prepared, /record was refused/);
    expect(reason).toMatch(/the chain shows no pool \w+, no lock of position 1, no lock of position 2/);
    expect(await landedMemos(platform, prepared)).toHaveLength(2);
    // A resume that was typed for the first parking comes only now.
    const handle = platform.client.workflow.getHandle(`launch-${prepared.quoteId}`);
    await eventually(async () => ((await handle.query('state')) === 'needs_recovery' ? true : null));
    const late = handle.executeUpdate('resolve', { args: [{ action: 'resume', parking: 1, note: 'typed before' }] });
    await expect(late).rejects.toMatchObject({
      cause: {
        message: expect.stringMatching(
          /^it is about parking 1 of the launch, which is at parking 2: record was/,
        ) as string,
      },
    });
    expect((await launchOf(prepared)).state).toBe('needs_recovery');
  });
});

describe('a parked launch with a dev buy that an operator resumes', () => {
  it('is asked about again where its quote tokens are worth more than they are sold for', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 2, { devBuyPercent: 1 });
    const launch = await launchOf(prepared);
    const own = launchDepsOf(platform);
    const of = async (mint: string) => {
      const price = await own.spendablePrices.of(mint);
      return mint === launch.quoteMint ? { ...price, ...thriceAs(price) } : price;
    };
    const activities = createLaunchActivities({ ...own, spendablePrices: { ...own.spendablePrices, of } });
    const resume = { action: 'resume', actor: 'tester', note: 'a test' } as const;
    const asked = await activities.resolveLaunch(prepared.quoteId, { ...resume, parking: 1 });
    expect(asked).toMatchObject({ state: 'needs_recovery', parking: 2 });
    expect(asked.blockedReason).toMatch(
      /^resume was not carried out: a dev buy was proposed for \d+ lamports and costs/,
    );
    // Of the first parking: it changes nothing, although it says that the price is known.
    await activities.resolveLaunch(prepared.quoteId, { ...resume, parking: 1, atSealedPrice: true });
    expect((await launchOf(prepared)).state).toBe('needs_recovery');
    const sold = await activities.resolveLaunch(prepared.quoteId, { ...resume, parking: 2, atSealedPrice: true });
    expect(sold.state).toBe('resuming');
    own.close();
  });
});

describe('a parked launch whose dev buy has been paid for, and whose stock is gone', () => {
  it('is not resumed with what is set aside or kept back, at whatever price, and is once there is stock again', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1, { devBuyPercent: 1 });
    const launch = await launchOf(prepared);
    const { quoteMint } = launch;
    const own = launchDepsOf(platform);
    const settings = await pairInventory.byMint(platform.db, quoteMint);
    const keepBack = (reserveRaw: bigint) =>
      pairInventory.set(platform.db, quoteMint, { ...settings, reserveRaw }, { actor: 'tester' });
    const { resolveLaunch } = createLaunchActivities(own);
    const resume = { action: 'resume', actor: 'tester', note: 'a test' } as const;
    try {
      await keepBack((await inventoryOf(launch)) - BigInt(launch.terms.devBuy?.maxQuoteRaw ?? 0) + 1n);
      const asked = await resolveLaunch(prepared.quoteId, { ...resume, parking: 1, atSealedPrice: true });
      expect(asked).toMatchObject({ state: 'needs_recovery', parking: 2 });
      expect(asked.blockedReason).toMatch(
        /^resume was not carried out: its dev buy takes (\d+) raw units of \w+, and \d+ are for sale; restock/,
      );
    } finally {
      await keepBack(settings.reserveRaw);
    }
    const resumed = await resolveLaunch(prepared.quoteId, { ...resume, parking: 2, atSealedPrice: true });
    expect(resumed.state).toBe('resuming');
    own.close();
  });
});

/** A price that has tripled since. */
function thriceAs({ usd }: SpendablePrice) {
  const tripled = worthSpendable(3n, 0, usd);
  return { usd: tripled, medianUsd: tripled };
}

describe('a decision', () => {
  it('that is malformed, or of a launch that is not parked, is refused and changes nothing', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    await expect(resolve(platform, prepared, 'pay-me')).rejects.toThrow();
    await expect(resolve(platform, prepared, 'refund', { note: '' })).rejects.toThrow();
    expect((await launchOf(prepared)).state).toBe('needs_recovery');
    const { prepared: fine } = await begun();
    const handle = platform.client.workflow.getHandle(`launch-${fine.quoteId}`);
    await expect(
      handle.executeUpdate('resolve', { args: [{ action: 'refund', parking: 1, note: 'no' }] }),
    ).rejects.toThrow();
    expect((await launchOf(fine)).refundSignature).toBeNull();
  });

  it('is kept in the audit log with who, what and why', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    await resolve(platform, prepared, 'refund', { note: 'the creator asked for it' });
    await untilState(platform, prepared, 'refunded');
    const entries = await platform.db
      .selectFrom('auditLog')
      .selectAll()
      .where('subject', '=', `launch/${prepared.quoteId}`)
      .execute();
    expect(entries).toMatchObject([{ actor: 'tester', action: 'launch.refund', note: 'the creator asked for it' }]);
  });
});

async function begun() {
  platform.engine.setFault({ fault: 'none' });
  const launch = await creator.launchToEnd();
  expect(launch.answer.http).toBe(200);
  return launch;
}
