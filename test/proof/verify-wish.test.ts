import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLaunch } from '../../client/verify/launch/verify-launch.ts';
import type { MoneyWish } from '../../client/verify/launch/wish-checks.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import * as switches from '../../db/platform/switches.ts';
import { type Creator, createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { localPair } from '../support/platform/local-pair.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { standInAsRaydium } from '../support/proof/stand-in-as-raydium.ts';

let platform: Platform;
let creator: Creator;
/** Payments of launches, by what their creator asked for. */
let [plain, bySol, byPercent] = ['', '', ''];
/** What each cost, lamports. */
const prices = new Map<string, bigint>();

beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform, 30);
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  await switches.set(platform.db, 'airdrops', 'on', { actor: 'test' });
  plain = await launch({});
  bySol = await launch({ devBuySol: 0.2 });
  const quoteMint = localPair('CORAL').mint.toBase58();
  byPercent = await launch({ quoteMint, mode: 'reward', rewardTaxBps: 300, devBuyPercent: 1.5, airdropPercent: 5 });
});
afterAll(() => platform.close());

/** Launches, and waits until the payment is final. */
async function launch(changes: object): Promise<string> {
  const { prepared, submission } = await creator.launchToEnd(changes);
  const signature = signatureIn(submission.signedTransaction);
  prices.set(signature, BigInt(prepared.payment.lamports));
  await eventually(async () => {
    const { value } = await platform.connection.getSignatureStatus(signature);
    return value?.confirmationStatus === 'finalized' || null;
  }, `the payment ${signature} is final`);
  return signature;
}

const OF_WISH = ['price', 'dev buy', 'share'];

/** Each check of a wish as a line: its name, and what differs. */
async function lines(signature: string, wish: MoneyWish | null): Promise<string[]> {
  const chain = standInAsRaydium(createRpcChain({ urls: [platform.chain.rpcUrl] }));
  const checks = (await verifyLaunch({ launch: signature, chain, wish })).filter(({ name }) => OF_WISH.includes(name));
  return checks.map(({ name, status, how }) => `${name}: ${status === 'proven' ? status : how}`);
}

const priceOf = (signature: string) => prices.get(signature) ?? 0n;
const PROVEN = OF_WISH.map((name) => `${name}: proven`);

it('a launch without a wish is compared with none', async () => {
  expect(await lines(plain, null)).toEqual([]);
});

it('launches are proven to be what was asked for, at the price that was allowed', async () => {
  expect(await lines(plain, { maxLamports: priceOf(plain) })).toEqual(PROVEN);
  expect(await lines(bySol, { devBuyLamports: 200_000_000n })).toEqual(PROVEN);
  const wish = { maxLamports: priceOf(byPercent), devBuyPercent: 1.5, airdropPercent: 5 };
  expect(await lines(byPercent, wish)).toEqual(PROVEN);
});

it('a price above the allowed one is named', async () => {
  const [line] = await lines(plain, { maxLamports: priceOf(plain) - 1n });
  expect(line).toBe('price: more was charged than was allowed');
});

it.each<[string, () => string, MoneyWish, string]>([
  ['without one', () => bySol, { maxLamports: 10n ** 10n }, 'a dev buy was not asked for'],
  ['for less SOL', () => bySol, { devBuyLamports: 100_000_000n }, 'the dev buy cost more than was asked for'],
  ['that is missing', () => plain, { devBuyLamports: 1n }, 'a dev buy was asked for, and there is none'],
  ['of a larger share', () => byPercent, { devBuyPercent: 1.6, airdropPercent: 5 }, 'the dev buy is of another share'],
  ['of a smaller share', () => byPercent, { devBuyPercent: 1.4, airdropPercent: 5 }, 'the dev buy is of another share'],
])('a wish of a dev buy %s has a line of its own, in words', async (_what, launched, wish, says) => {
  const found = await lines(launched(), wish);
  expect(found).toEqual(['price: proven', `dev buy: ${says}`, 'share: proven']);
});

it.each<[string, () => string, MoneyWish, string]>([
  ['without one', () => byPercent, { devBuyPercent: 1.5 }, 'an airdrop was not asked for'],
  [
    'of a larger share',
    () => byPercent,
    { devBuyPercent: 1.5, airdropPercent: 5.1 },
    'the airdrop is of another share',
  ],
  [
    'of a smaller share',
    () => byPercent,
    { devBuyPercent: 1.5, airdropPercent: 4.9 },
    'the airdrop is of another share',
  ],
  ['that is missing', () => plain, { airdropPercent: 5 }, 'an airdrop was asked for, and there is none'],
])('a wish of an airdrop %s has a line of its own, in words', async (_what, launched, wish, says) => {
  const found = await lines(launched(), wish);
  expect(found).toEqual(['price: proven', 'dev buy: proven', `share: ${says}`]);
});
