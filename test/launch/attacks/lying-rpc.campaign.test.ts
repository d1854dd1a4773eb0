import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLaunchActivities } from '../../../activities/launch/activities.ts';
import { adoptBundle } from '../../../activities/launch/bundle-rows.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import * as launches from '../../../db/launch/launches.ts';
import { startBroadcast } from '../../../db/money/chain-transaction-batches.ts';
import * as marks from '../../../db/money/chain-transaction-marks.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../../db/launch/launch-transition.ts';
import { hasBegun } from '../../../chain/launch/has-begun.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { launchPurpose, refundPurpose } from '../../../domain/purpose.ts';
import { FLOODED_HISTORY } from '../../support/rpc/flooded-history.ts';
import { emptied, startLiar, startScriptedNode } from '../../support/rpc/scripted-node.ts';
import { createStranger } from '../../support/launch/stranger.ts';
import { type Creator, createCreator, type Prepared } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { launchDepsOf } from '../../support/platform/launch-deps.ts';
import { begin, parkAfterPrefix } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { addressOf } from '../../support/platform/secrets.ts';
import { untilState } from '../../support/platform/until-state.ts';

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

const treasuryLamports = () =>
  platform.connection.getBalance(new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY)), 'confirmed');
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const ofValue = (result: unknown, value: unknown) => ({ ...objectOf(result), value });

/** Starts the refund of a launch with a worker that asks only these endpoints. */
async function refundThrough(endpoints: readonly string[], { quoteId }: Prepared): Promise<LaunchRecord> {
  await transitionLaunch(platform.db, quoteId, ['needs_recovery'], 'refunding');
  const deps = launchDepsOf(platform, { endpoints });
  try {
    await createLaunchActivities(deps).refundLaunch(quoteId);
  } finally {
    deps.close();
  }
  const launch = await launches.byQuoteId(platform.db, quoteId);
  if (!launch) throw new Error(`no launch ${quoteId}`);
  return launch;
}

describe('a refund by a worker whose RPC endpoint lies', () => {
  it('pays no more than the payment could have cost, whatever fee the endpoint tells', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    const held = await treasuryLamports();
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method !== 'getTransaction') return result;
      const meta = objectOf(objectOf(result)['meta']);
      return { ...objectOf(result), meta: { ...meta, fee: 5_000_000_000 } };
    });
    expect((await refundThrough([liar.url], prepared)).state).toBe('refunded');
    expect(await creator.balance()).toBe(before);
    expect(held - (await treasuryLamports())).toBeLessThan(20_000);
  });

  it('takes nothing from the treasury for a payment that never landed', async () => {
    const prepared = await inventedPayment();
    const held = await treasuryLamports();
    const payment = await chainTransactions.attemptsOf(platform.db, launchPurpose(prepared.quoteId, 1));
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === 'getTransaction' && result === null ? inventTransaction(payment[0]?.wire) : result,
    );
    expect(await refundThrough([liar.url], prepared)).toMatchObject({
      state: 'needs_recovery',
      blockedReason: expect.stringContaining('a refund is not possible') as string,
    });
    expect(await creator.balance()).toBe(before);
    expect(await treasuryLamports()).toBe(held);
    expect(await chainTransactions.attemptsOf(platform.db, refundPurpose(prepared.quoteId))).toEqual([]);
  });
});

/** What a node has at addresses, each with so many lamports. */
const withLamports = (result: unknown, lamports: number) => {
  const value = objectOf(result)['value'] as readonly unknown[];
  return ofValue(
    result,
    value.map((account) => account && { ...objectOf(account), lamports }),
  );
};

/** The names under which honest nodes are reached. */
const honest = () => ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);

describe('a refund by a worker of whose three RPC endpoints one lies', () => {
  it.each<readonly [string, (method: string, result: unknown) => unknown]>([
    [
      'sees more in the launch wallet than is there',
      (method, result) => {
        if (method === 'getBalance') return ofValue(result, 50_000_000_000);
        return method === 'getMultipleAccounts' ? withLamports(result, 50_000_000_000) : result;
      },
    ],
    ['asks for less rent', (method, result) => (method === 'getMinimumBalanceForRentExemption' ? 1 : result)],
    [
      'says that every transaction would succeed and asks for less rent',
      (method, result) => {
        if (method === 'simulateTransaction')
          return ofValue(result, { ...objectOf(objectOf(result)['value']), err: null });
        return method === 'getMinimumBalanceForRentExemption' ? 1 : result;
      },
    ],
    [
      'sees neither lamports nor tokens in it',
      (method, result) => {
        if (method === 'getBalance') return ofValue(result, 0);
        return method === 'getMultipleAccounts' ? emptied(result) : result;
      },
    ],
  ])('gives everything back although one %s', async (_what, lie) => {
    const { prepared } = await parkAfterPrefix(platform, creator, 2);
    const held = await treasuryLamports();
    await using liar = await startLiar(platform.chain.rpcUrl, lie);
    expect((await refundThrough([liar.url, ...honest()], prepared)).state).toBe('refunded');
    expect(await creator.balance()).toBe(before);
    // What the mint and its network fees took, and no payment.
    expect(held - (await treasuryLamports())).toBeLessThan(prepared.payment.lamports / 2);
  });
});

/** An honest node that another one is ahead of. */
const startSlowNode = () =>
  startLiar(platform.chain.rpcUrl, async (method, result) => {
    if (method === 'getTransaction') await sleep(150);
    return result;
  });

describe('a worker of whose three RPC endpoints one lies', () => {
  it('records a launch in the block that the others say, at its time', async () => {
    const held = platform.gate.hold('recordLaunch');
    const { prepared, pending } = await begin(creator);
    await held.reached;
    await platform.worker.stop();
    held.release();
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method !== 'getTransaction' || result === null) return result;
      const { slot } = result as { slot: number };
      return { ...objectOf(result), slot: slot + 1_000_000, blockTime: 4_000_000_000 };
    });
    await using a = await startSlowNode();
    await using b = await startSlowNode();
    const deps = launchDepsOf(platform, { endpoints: [liar.url, a.url, b.url] });
    expect((await createLaunchActivities(deps).recordLaunch(prepared.quoteId)).state).toBe('completed');
    deps.close();
    const launch = await launches.byQuoteId(platform.db, prepared.quoteId);
    const { slot } = await deps.rpc.head('confirmed');
    expect(Number(launch?.slot)).toBeLessThanOrEqual(slot);
    expect(launch?.launchedAt?.getTime()).toBeLessThan(Date.now() + 60_000);
    await platform.worker.start();
    await pending;
  });
});

describe('a worker of whose two RPC endpoints one lies', () => {
  it('does not take a launch for completed that only one of them has seen', async () => {
    platform.engine.setFault({ fault: 'drop' });
    const held = platform.gate.hold('landBundle');
    const { prepared, pending } = await begin(creator);
    await held.reached;
    await platform.worker.stop();
    held.release();
    let isLying = true;
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) =>
      isLying && method === 'getSignatureStatuses' ? inventStatuses(result) : result,
    );
    const deps = launchDepsOf(platform, { endpoints: [platform.chain.rpcUrl, liar.url] });
    const landing = createLaunchActivities(deps).landBundle(prepared.quoteId);
    await untilState(platform, prepared, 'landing');
    await sleep(1_000);
    expect((await launches.byQuoteId(platform.db, prepared.quoteId))?.state).toBe('landing');

    isLying = false;
    letEverythingExpire(platform);
    expect((await landing).state).toBe('not_landed');
    expect(await creator.balance()).toBe(before);
    deps.close();
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 503, charged: false });
  });
});

const nobody = () => Keypair.generate().publicKey.toBase58();

describe('a launch of which nothing was sent', () => {
  it.each<readonly [string, (method: string, result: unknown) => unknown]>([
    [
      'refuses every bundle',
      (method, result) =>
        method === 'simulateBundle'
          ? ofValue(result, { summary: { failed: { error: 'BlockhashNotFound' } }, transactionResults: [] })
          : result,
    ],
    ['sees no lamports', (method, result) => (method === 'getBalance' ? ofValue(result, 0) : result)],
    [
      'is far ahead',
      (method, result) =>
        method === 'getEpochInfo'
          ? { ...objectOf(result), blockHeight: Number(objectOf(result)['blockHeight']) + 140 }
          : result,
    ],
  ])('does not end because one of two endpoints %s', async (_what, lie) => {
    const held = platform.gate.hold('simulateBundle');
    const { prepared, pending } = await begin(creator);
    await held.reached;
    await platform.worker.stop();
    held.release();
    await using liar = await startLiar(platform.chain.rpcUrl, lie);
    const deps = launchDepsOf(platform, { endpoints: [liar.url, platform.chain.rpcUrl] });
    const { state } = await createLaunchActivities(deps).simulateBundle(prepared.quoteId);
    deps.close();
    expect(state).toBe('preparing');
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

describe('a launch that is not signed yet', () => {
  it('waits while one of two endpoints sees no stock, and is signed by two of three, refused neither time', async () => {
    const held = platform.gate.hold('assembleBundle');
    const { prepared, pending } = await begin(creator, { devBuyPercent: 1 });
    await held.reached;
    await platform.worker.stop();
    held.release();
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getMultipleAccounts') return emptied(result);
      return method === 'getAccountInfo' ? ofValue(result, null) : result;
    });
    const { rpcUrl } = platform.chain;
    const two = launchDepsOf(platform, { endpoints: [liar.url, rpcUrl] });
    const attempt = createLaunchActivities(two).assembleBundle(prepared.quoteId);
    await expect(attempt).rejects.toThrow('RPC endpoints differ on what the treasury can spend');
    two.close();
    const three = launchDepsOf(platform, { endpoints: [liar.url, rpcUrl, `${rpcUrl}/rpc/b`] });
    const { state } = await createLaunchActivities(three).assembleBundle(prepared.quoteId);
    three.close();
    expect(state).toBe('preparing');
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

describe('a launch to whose mint a stranger sent lamports', () => {
  it('is not given up because the first of three endpoints does not see them', async () => {
    const held = platform.gate.hold('assembleBundle');
    const { prepared, pending } = await begin(creator);
    await held.reached;
    await platform.worker.stop();
    held.release();
    await (await createStranger(platform)).dust(prepared.mint, 1_000_000n);
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getMultipleAccounts') return emptied(result);
      return method === 'getAccountInfo' ? ofValue(result, null) : result;
    });
    const deps = launchDepsOf(platform, { endpoints: [liar.url, ...honest()] });
    const steps = createLaunchActivities(deps);
    expect((await steps.assembleBundle(prepared.quoteId)).state).toBe('preparing');
    expect((await steps.simulateBundle(prepared.quoteId)).state).toBe('preparing');
    deps.close();
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

describe('the rest of a paid launch', () => {
  it('is built once more of what another endpoint says before an operator is asked', async () => {
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    const resume = () => transitionLaunch(platform.db, prepared.quoteId, ['needs_recovery'], 'resuming');
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === 'getMinimumBalanceForRentExemption' ? 1 : result,
    );
    const rebuiltBy = async (...endpoints: string[]) => {
      await resume();
      const deps = launchDepsOf(platform, { endpoints });
      const { state } = await createLaunchActivities(deps).rebuildRest(prepared.quoteId);
      deps.close();
      return state;
    };
    expect(await rebuiltBy(liar.url)).toBe('needs_recovery');
    expect(await rebuiltBy(liar.url, ...honest())).toBe('landing');
  });
});

describe('a launch that landed and that a restored database does not know', () => {
  it('is found although one of two endpoints has no trace of it, and nothing is said while the other one is away', async () => {
    const { prepared } = await creator.launchToEnd();
    const terms = (await launches.byQuoteId(platform.db, prepared.quoteId))?.terms;
    if (!terms) throw new Error('no launch');
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getMultipleAccounts') return emptied(result);
      return method === 'getSignaturesForAddress' ? [] : result;
    });
    await using twister = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getTransaction') return null;
      if (method !== 'getSignaturesForAddress') return result;
      return (result as object[]).map((entry) => ({ ...entry, err: { InstructionError: [0, { Custom: 1 }] } }));
    });
    await using silent = await startScriptedNode(() => ({ status: 503, raw: '' }));
    const begun = (...endpoints: string[]) => hasBegun(createRpc({ endpoints }), terms, new Date());
    expect(await begun(liar.url, platform.chain.rpcUrl)).toBe(true);
    expect(await begun(platform.chain.rpcUrl, twister.url)).toBe(true);
    await expect(begun(liar.url, silent.url)).rejects.toThrow('1 of 2 RPC endpoints say what is at');
  });

  it('is booked although one of two endpoints shows none of its accounts and none of its history', async () => {
    const { prepared } = await creator.launchToEnd();
    await untilState(platform, prepared, 'finalized');
    const launch = await launches.byQuoteId(platform.db, prepared.quoteId);
    if (!launch) throw new Error('no launch');
    const bundle = `launch/${prepared.quoteId}/`;
    const known = await chainTransactions.liveByPrefix(platform.db, bundle);
    await sql`delete from chain_transactions where purpose like ${`${bundle}%`}`.execute(platform.db);
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getMultipleAccounts') return emptied(result);
      return method === 'getSignaturesForAddress' ? [] : result;
    });
    const deps = launchDepsOf(platform, { endpoints: [liar.url, platform.chain.rpcUrl] });
    await adoptBundle(deps, launch);
    deps.close();
    const found = await chainTransactions.liveByPrefix(platform.db, bundle);
    expect(found.map(({ signature }) => signature)).toEqual(known.map(({ signature }) => signature));
  });

  it('may have begun where one of two endpoints says so and strangers made its history longer than is looked at', async () => {
    const { prepared } = await creator.launchToEnd();
    const terms = (await launches.byQuoteId(platform.db, prepared.quoteId))?.terms;
    if (!terms) throw new Error('no launch');
    await using flooded = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === 'getSignaturesForAddress' ? FLOODED_HISTORY : result,
    );
    expect(await hasBegun(createRpc({ endpoints: [platform.chain.rpcUrl, flooded.url] }), terms, new Date())).toBe(
      true,
    );
  });
});

describe('a launch of which one of two endpoints shows a mint that the other has not got', () => {
  it('has not begun by its word, however long it says that its history is', async () => {
    const { prepared } = await creator.launchToEnd();
    const terms = (await launches.byQuoteId(platform.db, prepared.quoteId))?.terms;
    if (!terms) throw new Error('no launch');
    const unknown = { ...terms, addresses: { ...terms.addresses, launchWallet: nobody(), mint: nobody() } };
    const made = { lamports: 1, owner: terms.quoteToken.tokenProgram, data: ['AA==', 'base64'], executable: false };
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) => {
      if (method === 'getSignaturesForAddress') return FLOODED_HISTORY;
      return method === 'getMultipleAccounts' ? ofValue(result, [made, made]) : result;
    });
    const begun = (...endpoints: string[]) => hasBegun(createRpc({ endpoints }), unknown, new Date());
    await expect(begun(platform.chain.rpcUrl, liar.url)).rejects.toThrow('1 of 2 RPC endpoints say what happened to');
    expect(await begun(platform.chain.rpcUrl)).toBe(false);
  });
});

/** "Confirmed" for every signature that was asked for. */
function inventStatuses(result: unknown): object {
  const value = objectOf(result)['value'];
  const invented = { slot: 1, confirmations: 1, err: null, confirmationStatus: 'confirmed' };
  return { ...objectOf(result), value: Array.isArray(value) ? value.map(() => invented) : value };
}

/** A parked launch whose books say that the payment is finalized, as a lying endpoint made them say. Nothing landed. */
async function inventedPayment(): Promise<Prepared> {
  platform.engine.setFault({ fault: 'drop' });
  const held = platform.gate.hold('landBundle');
  const { prepared } = await begin(creator);
  await held.reached;
  await platform.worker.stop();
  held.release();
  const { db } = platform;
  const { quoteId } = prepared;
  const [payment, ...rest] = await chainTransactions.liveByPrefix(db, `launch/${quoteId}/`);
  await startBroadcast(db, [payment!, ...rest]);
  await marks.mark(db, marks.finalized(payment!.signature, 1n));
  for (const row of rest) await marks.markDead(db, row.signature);
  await transitionLaunch(db, quoteId, ['preparing'], 'landing');
  await transitionLaunch(db, quoteId, ['landing'], 'resuming');
  await transitionLaunch(db, quoteId, ['resuming'], 'needs_recovery', { blockedReason: 'set up by a test' });
  await platform.worker.start();
  return prepared;
}

/** What `getTransaction` would answer of a payment that landed. */
function inventTransaction(wire: Uint8Array | undefined): object {
  const balances = [1, 2, 3, 4, 5];
  return {
    slot: 1,
    blockTime: 1,
    transaction: [Buffer.from(wire ?? []).toString('base64'), 'base64'],
    meta: { err: null, fee: 13_000, preBalances: balances, postBalances: balances },
  };
}
