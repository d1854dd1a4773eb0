import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  getMint,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { paymentNetworkFee } from '../../../chain/launch/payment.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { type Creator, createCreator } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { expectLaunchedOnce } from '../../support/platform/expect-launched.ts';
import { landPrefix, type PendingLaunch } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { createStranger, type Stranger } from '../../support/launch/stranger.ts';

let platform: Platform;
let stranger: Stranger;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform();
  stranger = await createStranger(platform);
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** Name and symbol of the greatest size. */
const LONGEST = { name: 'N'.repeat(32), symbol: 'S'.repeat(10) };

async function expectCompleted({ prepared, pending }: PendingLaunch): Promise<void> {
  letEverythingExpire(platform);
  platform.engine.setFault({ fault: 'none' });
  expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
  await untilState(platform, prepared, 'finalized');
}

async function expectResumed(launch: PendingLaunch): Promise<void> {
  await expectCompleted(launch);
  await expectLaunchedOnce(platform, creator, launch.prepared, before);
}

describe('a launch whose payment landed alone', () => {
  it('is completed although a stranger sends lamports to its mint', async () => {
    const launch = await landPrefix(platform, creator, 1);
    await stranger.dust(launch.prepared.mint, 1_000_000n);
    await expectResumed(launch);
  });

  it('is completed although a stranger sends lamports to its mint, as a reward launch with a dev buy too', async () => {
    const launch = await landPrefix(platform, creator, 1, { mode: 'reward', devBuyPercent: 2.5, ...LONGEST });
    await stranger.dust(launch.prepared.mint, 50_000_000n);
    await expectCompleted(launch);
  });

  it('is completed although a stranger copies the memos of what is missing', async () => {
    const launch = await landPrefix(platform, creator, 1);
    const { quoteId, launchWallet } = launch.prepared;
    for (const step of [1, 2, 3, 4]) await stranger.dust(launchWallet, 1_000_000n, `launch/${quoteId}/${step}`);
    await expectCompleted(launch);
    const { supply } = await getMint(platform.connection, new PublicKey(launch.prepared.mint));
    expect(supply).toBe(TOTAL_SUPPLY_RAW);
    const due = launch.prepared.payment.lamports + Number(paymentNetworkFee(50_000n));
    expect(before - (await creator.balance())).toBe(due);
  });
});

describe('a launch of which payment and mint landed alone', () => {
  it('is completed although a stranger opens the token accounts of its pool and dusts every address to come', async () => {
    const launch = await landPrefix(platform, creator, 2);
    const { db, exchange } = platform;
    const { terms } = await db
      .selectFrom('launches')
      .select('terms')
      .where('quoteId', '=', launch.prepared.quoteId)
      .executeTakeFirstOrThrow();
    const { addresses, quoteToken } = terms as { addresses: { feeKeyMints: string[] }; quoteToken: { mint: string } };
    const mint = new PublicKey(launch.prepared.mint);
    const pool = exchange.poolAddress(mint, new PublicKey(quoteToken.mint), '1%');
    const open = (owner: PublicKey) => {
      const account = getAssociatedTokenAddressSync(mint, owner, true);
      return createAssociatedTokenAccountIdempotentInstruction(stranger.keypair.publicKey, account, owner, mint);
    };
    await stranger.send(open(pool), open(creator.address));
    for (const address of [pool.toBase58(), ...addresses.feeKeyMints]) await stranger.dust(address, 1_000_000n);
    await expectResumed(launch);
  });
});
