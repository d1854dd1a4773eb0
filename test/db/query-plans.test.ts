import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBuybackBudgetRepository } from '../../db/buyback/buyback-budgets.ts';
import { createBuybackRoundRepository } from '../../db/buyback/buyback-rounds.ts';
import { createBurnRepository } from '../../db/burns.ts';
import { createChainTransactionRepository } from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import { createFeeHarvestRepository } from '../../db/fee-sweep/fee-harvests.ts';
import { createFeeSweepRepository } from '../../db/fee-sweep/fee-sweeps.ts';
import { createAirdropRepository } from '../../db/airdrop/airdrops.ts';
import { createLabelledWalletRepository } from '../../db/platform/labelled-wallets.ts';
import { createLaunchAddressRepository } from '../../db/launch/launch-addresses.ts';
import { createLaunchRepository } from '../../db/launch/launches.ts';
import { createPriceRepository } from '../../db/prices/prices.ts';
import { createRecipientSetRepository } from '../../db/airdrop/recipient-sets.ts';
import { platformWallets } from '../../db/platform/platform-wallets.ts';
import { createRewardPayoutRepository } from '../../db/reward/reward-payouts.ts';
import { findRewardTotals, listDistributions, listRewardTotals } from '../../db/reward/reward-reads.ts';
import { createRewardRoundRepository } from '../../db/reward/reward-rounds.ts';
import { createRewardSnapshotRepository } from '../../db/reward/reward-snapshots.ts';
import { createRewardTransactionRepository } from '../../db/reward/reward-transactions.ts';
import { createTokenRepository } from '../../db/tokens.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { createExplainer, type Explainer } from '../support/db/explainer.ts';
import { fillTables } from '../support/db/fill-tables.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { url } = useDatabase();
let db: Db;
let plansOf: Explainer['plansOf'];

beforeAll(async () => {
  ({ db, plansOf } = createExplainer(url()));
  await fillTables(db, 20_000);
});
afterAll(() => db.destroy());

describe('no list or look-up reads a growing table from end to end', () => {
  const since = new Date(Date.UTC(2026, 10, 1));
  const page = { page: 1, pageSize: 25 };
  const id = '00000000-0000-4000-8000-000000000077';
  const airdropId = '00000000-0000-4000-8000-000000001000';
  const reads: Record<string, () => Promise<unknown>> = {
    'the ledger': () => createLaunchRepository(db).ledger({}, page),
    'the ledger of a creator': () => createLaunchRepository(db).ledger({ creator: 'creator-7' }, page),
    'the ledger since a time': () => createLaunchRepository(db).ledger({ since }, page),
    'the ledger of reward launches': () => createLaunchRepository(db).ledger({ mode: 'reward' }, page),
    'a launch by quote id': () => createLaunchRepository(db).byQuoteId(id),
    'a launch by signature': () => createLaunchRepository(db).bySignature('signature-77'),
    'a launch by mint': () => createLaunchRepository(db).byMint('mint-77'),
    'the newest launches': () => createLaunchRepository(db).newest(),
    'the newest launches of a state': () => createLaunchRepository(db).newest(['finalized'], 10),
    'the history of a launch': () => createLaunchRepository(db).history(id),
    'open launches': () => createLaunchRepository(db).openLaunches(since),
    'sweeps that are due': () => createLaunchRepository(db).takeDueSweeps(),
    'airdrops that are not delivered': () => createAirdropRepository(db).undelivered(),
    'how many airdrops are not delivered': () => createAirdropRepository(db).backlog(),
    'an airdrop by mint': () => createAirdropRepository(db).byMint('mint-70'),
    'the progress of an airdrop': () => createAirdropRepository(db).progressOf(airdropId),
    'the open transactions of an airdrop': () => createAirdropRepository(db).openBatches(airdropId),
    'recipients that no launch took up': () => createRecipientSetRepository(db).discardExpired(),
    'labelled wallets among others': () => createLabelledWalletRepository(db).amongst(['exchange-7', 'wallet-7', 'x']),
    'stuck launches': () => createLaunchRepository(db).stuck(since),
    'a free launch address': () => createLaunchAddressRepository(db).takeOne(),
    'the number of free launch addresses': () => createLaunchAddressRepository(db).countFree('seed-1'),
    'the live transactions of a launch': () => createChainTransactionRepository(db).liveByPrefix(`launch/${id}/`),
    'the attempts of a purpose': () => createChainTransactionRepository(db).attemptsOf(launchPurpose(id, 1)),
    'unsettled transactions': () => createChainTransactionRepository(db).unsettled(since),
    'a token': () => createTokenRepository(db).byMint('mint-77'),
    'the token list': () => createTokenRepository(db).list({}, 'marketCap', page),
    'a search': () => createTokenRepository(db).list({ q: 'name 1777' }, 'marketCap', page),
    'the tokens of a pair': () => createTokenRepository(db).list({ quoteMint: 'quote-7' }, 'marketCap', page),
    'the asset index': () => createTokenRepository(db).assetIndex({ limit: 500, offset: 1_000, order: 'oldest' }),
    'what a token’s holders were paid': () => findRewardTotals(db, 'mint-77'),
    'the reward coins by what was paid': () => listRewardTotals(db, 25),
    'the newest payouts': () => listDistributions(db, 25),
    'open reward rounds': () => createRewardRoundRepository(db).open(),
    'the newest reward rounds': () => createRewardRoundRepository(db).newest(25),
    'the newest reward rounds of a token': () => createRewardRoundRepository(db).newest(25, 'mint-77'),
    'the backlog of reward rounds': () => createRewardRoundRepository(db).backlog(),
    'a reward round': () => createRewardRoundRepository(db).byId(id),
    'the observations of a reward round': () => createRewardSnapshotRepository(db).ofRound(id),
    'the transactions of a reward round': () => createRewardTransactionRepository(db).ofRound(id),
    'what a pot holds': () => createRewardTransactionRepository(db).funds('mint-77'),
    'the payouts of a transaction': () => createRewardPayoutRepository(db).ofBatch({ roundId: id, n: 0 }),
    'the payouts of a reward round': () => createRewardPayoutRepository(db).ofRound(id),
    'wallets of the platform among holders': () => platformWallets(db, ['wallet-7', 'pot-9', 'somebody']),
    'the newest price': () => createPriceRepository(db).latest('mint-7'),
    'the newest prices of several tokens': () => createPriceRepository(db).latestOf(['mint-7', 'mint-8']),
  };

  it.each(Object.entries(reads))('%s', async (_name, read) => {
    const plan = await plansOf(read);
    expect(plan).toMatch(/Scan/);
    // Pairs are few, and read whole.
    expect(plan).not.toMatch(/Seq Scan on (?!pairs)/);
  });

  it('the pages of the lists come out of an index in order: nothing is sorted before it is cut to a page', async () => {
    const listed = ['the ledger', 'the ledger of a creator', 'the ledger of reward launches', 'the asset index'];
    for (const read of [...listed, 'the reward coins by what was paid', 'the newest payouts']) {
      const plan = await plansOf(reads[read]!);
      expect(plan, read).toMatch(/Limit/);
      expect(plan, read).not.toMatch(/Limit[^\n]*\n\s*->\s+(Incremental )?Sort/);
    }
  });
});

describe('fees, burns and revenue are read off indexes, however many there are', () => {
  const key = { mint: 'mint-77', number: 1 };
  const reads: Record<string, () => Promise<unknown>> = {
    'positions whose pools changed': () => createFeeSweepRepository(db).duePositions('', 100),
    'the next page of them': () => createFeeSweepRepository(db).duePositions('pool-5', 100),
    'sweeps that are due': () => createFeeSweepRepository(db).takeDue(),
    'a sweep': () => createFeeSweepRepository(db).byKey(key),
    'open sweeps of a token': () => createFeeSweepRepository(db).open({ mint: 'mint-200' }, 50),
    'open sweeps': () => createFeeSweepRepository(db).open({}, 50),
    'the number of open sweeps': () => createFeeSweepRepository(db).countOpen(),
    'a harvest': () => createFeeHarvestRepository(db).byKey(key),
    'the newest harvests': () => createFeeHarvestRepository(db).newest(25),
    'the burns of a token': () => createBurnRepository(db).ofMint('mint-77', 'sweep', 25),
    'their totals': () => createBurnRepository(db).totalsOf('mint-77', 'sweep'),
    'the newest burns': () => createBurnRepository(db).newest(['sweep'], 25),
    'the newest burns of several kinds': () => createBurnRepository(db).newest(['buyback', 'flywheel'], 25),
    'budgets of purchases': () => createBuybackBudgetRepository(db).all(),
    'a purchase': () => createBuybackRoundRepository(db).byId('buyback-mint-77-1'),
    'open purchases': () => createBuybackRoundRepository(db).open(),
    'the newest purchases': () => createBuybackRoundRepository(db).newest(25),
    'the number of open purchases': () => createBuybackRoundRepository(db).countOpen(),
  };

  it.each(Object.entries(reads))('%s', async (_name, read) => {
    const plan = await plansOf(read);
    expect(plan).toMatch(/Index (Only )?Scan|Bitmap/);
    // Quote tokens are few, and read whole.
    expect(plan).not.toMatch(/Seq Scan on (?!pairs|buyback_budgets)/);
  });
});
