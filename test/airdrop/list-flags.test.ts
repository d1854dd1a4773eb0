import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { address } from '../support/launch/launch-rows.ts';

const market = useMarketApp();

/** 12.5 % of the supply. */
const SHARE_RAW = 125_000_000_000_000_000n;

/** Launches a coin with an airdrop for ten wallets, in two transactions. */
async function launchWithAirdrop() {
  const db = market.db();
  const document = Buffer.from(`recipients ${address()}`);
  const recipientsHash = createHash('sha256').update(document).digest('hex');
  await recipientSets.keep(db, recipientsHash, document);
  const { terms, token } = rewardFacts(100);
  const agreed = { shareRaw: String(SHARE_RAW), recipients: 10, feeLamports: '1', snapshotSlot: 1 };
  const airdrop = {
    source: 'quote-holders',
    tier: 'top100',
    ...agreed,
    recipientsHash,
    computeUnitPrice: '1',
  } as const;
  const launched = await market.launch({ terms: { ...terms, airdrop }, token });
  const shares = planAirdrop(SHARE_RAW, Array.from({ length: 10 }, address));
  const { quoteId } = launched.terms;
  const plan = {
    quoteId,
    mint: launched.mint,
    shareRaw: SHARE_RAW,
    recipientsHash,
    recipientsUri: 'https://x',
    shares,
  };
  await airdrops.plan(db, plan);
  return plan;
}

interface Row {
  readonly mint: string;
  readonly [field: string]: unknown;
}

/** Rows of both lists, by what they are called; each query is an answer of its own, so that none is one that was kept. */
async function rows(query: string): Promise<Record<'tokens' | 'launches', readonly Row[]>> {
  const read = async (name: 'tokens' | 'launches') => {
    const answer = await market.app().inject(`/api/public/v1/${name}?${query}`);
    return answer.json<{ data: Record<string, readonly Row[]> }>().data[name] ?? [];
  };
  return { tokens: await read('tokens'), launches: await read('launches') };
}

test('rows of both lists say what share was given away and how much of it is delivered; others have none of these fields', async () => {
  const plain = await market.launch();
  const { quoteId, mint, shares } = await launchWithAirdrop();
  await airdrops.markBatch(market.db(), quoteId, 1, { signature: 's', slot: 7n });
  await airdrops.markBatch(market.db(), quoteId, 1, { signature: 'again', slot: 8n });
  const delivered = shares.filter(({ batch }) => batch === 1).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
  for (const list of Object.values(await rows('pageSize=50'))) {
    expect(list.find((row) => row.mint === mint)).toMatchObject({
      airdropBps: 1_250,
      airdropSupplyRaw: String(SHARE_RAW),
      airdropDeliveredRaw: String(delivered),
    });
    const other = list.find((row) => row.mint === plain.mint);
    expect(Object.keys(other ?? {}).filter((field) => field.startsWith('airdrop') && field !== 'airdrop')).toEqual([]);
  }
});

test('airdrop=true lists and counts those alone, in every order and spelling; false filters nothing', async () => {
  await market.launch();
  const { mint } = await launchWithAirdrop();
  const all = await rows('pageSize=51');
  for (const query of ['airdrop=true', 'airdrop=1', 'airdrop=True&sort=newest', 'airdrop=true&sort=volume']) {
    const { tokens, launches } = await rows(query);
    expect(tokens.map((row) => row.mint)).toContain(mint);
    expect([...tokens, ...launches].every((row) => row['airdropBps'] === 1_250)).toBe(true);
    expect([tokens.length, launches.length]).toEqual([2, 2]);
  }
  const none = await rows('airdrop=false&pageSize=52');
  expect([none.tokens.length, none.launches.length]).toEqual([all.tokens.length, all.launches.length]);
  const counted = await market.app().inject('/api/public/v1/tokens?airdrop=true&pageSize=1&page=2');
  expect(counted.json()).toMatchObject({ data: { pagination: { page: 2, total: 2, totalPages: 2 } } });
});
