import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLaunchActivities, type LaunchDeps } from '../../../activities/launch/activities.ts';
import { createLaunchWalletActivities } from '../../../activities/launch/empty-wallets.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../../db/launch/launch-transition.ts';
import * as launches from '../../../db/launch/launches.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { type Creator, createCreator, type Prepared } from '../../support/platform/creator.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { launchDepsOf } from '../../support/platform/launch-deps.ts';
import { parkAfterPrefix } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { addressOf } from '../../support/platform/secrets.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { createStranger, type Stranger } from '../../support/launch/stranger.ts';
import { startLiar } from '../../support/rpc/scripted-node.ts';

let platform: Platform;
let stranger: Stranger;
let creator: Creator;
let deps: LaunchDeps & { close(): void };
beforeAll(async () => {
  platform = await startPlatform();
  stranger = await createStranger(platform);
  deps = launchDepsOf(platform);
});
beforeEach(async () => {
  creator = await createCreator(platform);
});
afterEach(() => platform.calm());
afterAll(async () => {
  deps.close();
  await platform.close();
});

/** The steps of a worker on whose transactions somebody acts after they were signed and before they are sent. */
function beforeFirstSend(act: () => Promise<unknown>): LaunchDeps {
  let isDone = false;
  const sendWire: LaunchDeps['rpc']['sendWire'] = async (wire) => {
    if (!isDone) await act();
    isDone = true;
    return deps.rpc.sendWire(wire);
  };
  return { ...deps, rpc: { ...deps.rpc, sendWire } };
}

async function finalized(wish: object = {}): Promise<{ prepared: Prepared; launch: LaunchRecord }> {
  const { prepared } = await creator.launchToEnd(wish);
  return { prepared, launch: await untilState(platform, prepared, 'finalized') };
}

const accountAt = (address: string | PublicKey) =>
  platform.connection.getAccountInfo(new PublicKey(address), 'confirmed');
const balanceOf = (address: string) => platform.connection.getBalance(new PublicKey(address), 'confirmed');
const platformWallet = () => addressOf(platform.secrets.PLATFORM_SECRET_KEY);

/** The launch wallet's account of the quote token. */
function quoteAccountOf({ terms }: LaunchRecord): PublicKey {
  const { mint, tokenProgram } = terms.quoteToken;
  const wallet = new PublicKey(terms.addresses.launchWallet);
  return getAssociatedTokenAddressSync(new PublicKey(mint), wallet, true, new PublicKey(tokenProgram));
}

/** Sends quote tokens to the launch wallet, as anybody can, and opens its account for them where it has none. */
async function sendQuote(launch: LaunchRecord, amount: bigint): Promise<void> {
  const { addresses, quoteToken } = launch.terms;
  const signature = platform.chain.control.give(addresses.launchWallet, 0n, [{ mint: quoteToken.mint, amount }]);
  await eventually(async () => {
    const { value } = await platform.connection.getSignatureStatus(signature);
    return value?.confirmationStatus === 'confirmed' || null;
  });
}

/** One of the classic token program, one of Token-2022. */
const PAIRS = SEED_PAIRS.slice(0, 2);

describe('emptying a launch wallet', () => {
  it.each([1n, 5_000_000n])('takes everything although %d lamports arrive after it was signed', async (dust) => {
    const { prepared } = await finalized();
    const [left, held] = [await balanceOf(prepared.launchWallet), await balanceOf(platformWallet())];
    const attacked = beforeFirstSend(() => stranger.dust(prepared.launchWallet, dust));
    const signature = await createLaunchWalletActivities(attacked).emptyLaunchWallet(prepared.quoteId);
    expect(await accountAt(prepared.launchWallet)).toBeNull();
    const landed = await platform.connection.getTransaction(signature ?? '', { maxSupportedTransactionVersion: 0 });
    const gained = (await balanceOf(platformWallet())) - held;
    expect(gained).toBe(left + Number(dust) - (landed?.meta?.fee ?? 0));
    expect((await launches.byQuoteId(platform.db, prepared.quoteId))?.emptiedAt).not.toBeNull();
  });

  it.each(PAIRS.map(({ symbol, mint }) => [symbol, mint] as const))(
    'brings back the rent of the quote account although a stranger sent one raw unit of %s to it',
    async (_symbol, mint) => {
      const { prepared, launch } = await finalized({ quoteMint: mint.toBase58(), devBuyPercent: 1 });
      await sendQuote(launch, 1n);
      await createLaunchWalletActivities(deps).emptyLaunchWallet(prepared.quoteId);
      expect(await accountAt(quoteAccountOf(launch))).toBeNull();
      expect(await accountAt(prepared.launchWallet)).toBeNull();
    },
  );

  it('leaves quote tokens that the treasury has no account for where they are', async () => {
    const { prepared, launch } = await finalized({ devBuyPercent: 1 });
    await sendQuote(launch, 1n);
    const heirless = { ...deps, builder: { ...deps.builder, treasury: Keypair.generate() } };
    await createLaunchWalletActivities(heirless).emptyLaunchWallet(prepared.quoteId);
    expect(await accountAt(quoteAccountOf(launch))).not.toBeNull();
    expect(await accountAt(prepared.launchWallet)).toBeNull();
    expect((await launches.byQuoteId(platform.db, prepared.quoteId))?.emptiedAt).not.toBeNull();
  });

  it('takes lamports at the address of a token account for no token account', async () => {
    const { prepared, launch } = await finalized();
    await stranger.dust(quoteAccountOf(launch).toBase58(), 1_000_000n);
    await createLaunchWalletActivities(deps).emptyLaunchWallet(prepared.quoteId);
    expect(await accountAt(prepared.launchWallet)).toBeNull();
  });

  it('is made anew when quote tokens arrive after it was signed', async () => {
    const { prepared, launch } = await finalized({ devBuyPercent: 1 });
    const attacked = beforeFirstSend(() => sendQuote(launch, 1n));
    await expect(createLaunchWalletActivities(attacked).emptyLaunchWallet(prepared.quoteId)).rejects.toThrow(
      'failed on the chain',
    );
    await createLaunchWalletActivities(deps).emptyLaunchWallet(prepared.quoteId);
    expect(await accountAt(quoteAccountOf(launch))).toBeNull();
    expect(await accountAt(prepared.launchWallet)).toBeNull();
  });
});

describe('a preferred endpoint that lags behind a launch, and shows nothing in its wallet', () => {
  it('does not have the wallet taken for emptied', async () => {
    const { prepared } = await finalized();
    const left = await balanceOf(prepared.launchWallet);
    await using lagging = await startLiar(platform.chain.rpcUrl, (method, result) => {
      const { value, ...rest } = result as { value: unknown };
      return method === 'getBalance' && value === left ? { ...rest, value: 0 } : result;
    });
    const others = ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);
    const misled = launchDepsOf(platform, { endpoints: [lagging.url, ...others] });
    await createLaunchWalletActivities(misled).emptyLaunchWallet(prepared.quoteId);
    misled.close();
    expect(await accountAt(prepared.launchWallet)).toBeNull();
  });
});

describe('a preferred endpoint that hides the quote account of a launch wallet', () => {
  it('does not have it left behind', async () => {
    const { prepared, launch } = await finalized({ devBuyPercent: 1 });
    await sendQuote(launch, 1n);
    const hidden = quoteAccountOf(launch).toBase58();
    await using hiding = await startLiar(platform.chain.rpcUrl, (method, result, [asked]) => {
      if (method === 'getAccountInfo' && asked === hidden) return { ...(result as object), value: null };
      if (method !== 'getMultipleAccounts') return result;
      const { value } = result as { value: unknown[] };
      const keys = asked as string[];
      return { ...(result as object), value: value.map((one, index) => (keys[index] === hidden ? null : one)) };
    });
    const others = ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);
    const misled = launchDepsOf(platform, { endpoints: [hiding.url, ...others] });
    await createLaunchWalletActivities(misled).emptyLaunchWallet(prepared.quoteId);
    misled.close();
    expect(await accountAt(hidden)).toBeNull();
    expect(await accountAt(prepared.launchWallet)).toBeNull();
  });
});

describe('a refund', () => {
  it.each([1, 2])(
    'after %i landed transactions is paid although lamports arrive after it was signed',
    async (prefix) => {
      const before = await creator.balance();
      const { prepared } = await parkAfterPrefix(platform, creator, prefix);
      await transitionLaunch(platform.db, prepared.quoteId, ['needs_recovery'], 'refunding');
      const attacked = beforeFirstSend(() => stranger.dust(prepared.launchWallet, 1n + 890_000n));
      await createLaunchActivities(attacked).refundLaunch(prepared.quoteId);
      const { state, blockedReason } = (await launches.byQuoteId(platform.db, prepared.quoteId)) ?? {};
      expect({ state, blockedReason }).toMatchObject({ state: 'refunded' });
      expect(await creator.balance()).toBe(before);
      expect(await accountAt(prepared.launchWallet)).toBeNull();
    },
  );
});
