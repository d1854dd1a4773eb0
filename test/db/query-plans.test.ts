import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import * as burns from '../../db/burns.ts';
import * as statements from '../../db/money/statements.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import { duePositions } from '../../db/fee-sweep/fee-positions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import { promiseCounts } from '../../db/platform/promise-counts.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import * as claims from '../../db/claim/claims.ts';
import { countOpenLaunches, landingSeconds, newestMetadata } from '../../db/launch/launch-counts.ts';
import * as emptyings from '../../db/launch/emptyings.ts';
import * as launches from '../../db/launch/launches.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import { listTokens } from '../../db/market/token-list.ts';
import * as prices from '../../db/prices/prices.ts';
import * as receipts from '../../db/launch/receipts.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import { platformWallets } from '../../db/platform/platform-wallets.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import { findRewardTotals, listDistributions } from '../../db/reward/reward-reads.ts';
import * as rewardRecord from '../../db/reward/reward-record.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import * as tokens from '../../db/tokens.ts';
import { listClaims } from '../../db/claim/wallet-claims.ts';
import { countPositions, listPositions } from '../../db/claim/wallet-positions.ts';
import { listDays, listPayouts } from '../../db/reward/wallet-payouts.ts';
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
  const place = { generation: 1, xid: 1n, id: 1n, day: 20_000 };
  const airdropId = '00000000-0000-4000-8000-000000001000';
  // The reward coins that have paid are not among them: they are answered whole, every one of them.
  const reads: Record<string, () => Promise<unknown>> = {
    'the log of events': () => eventLog.readAfter(db, place, {}, 25),
    'events of a token': () => eventLog.readAfter(db, place, { mint: 'mint-77' }, 25),
    'events about a wallet': () => eventLog.readAfter(db, place, { wallet: 'creator-7' }, 25),
    'events of a creator': () => eventLog.readAfter(db, place, { creator: 'creator-7', types: ['burn'] }, 25),
    'events of some types': () => eventLog.readAfter(db, place, { types: ['burn', 'pair.added'] }, 25),
    'the ledger': () => publicLedger.page(db, {}, page),
    'the ledger of a creator': () => publicLedger.page(db, { creator: 'creator-7' }, page),
    'the ledger since a time': () => publicLedger.page(db, { since }, page),
    'the ledger of reward launches': () => publicLedger.page(db, { mode: 'reward' }, page),
    'a launch by quote id': () => launches.byQuoteId(db, id),
    'a launch by signature': () => launches.bySignature(db, 'signature-77'),
    'a launch by mint': () => launches.byMint(db, 'mint-77'),
    'the newest launches': () => launches.newest(db),
    'the newest launches of a state': () => launches.newest(db, ['finalized'], 10),
    'the history of a launch': () => launches.history(db, id),
    'open launches': () => launches.open(db, since),
    'wallets that are due to be emptied': () => emptyings.takeDue(db),
    'launches that lack a receipt': () => receipts.takeDueLaunches(db, 50),
    'late quotes that lack a receipt': () => receipts.takeDueLateQuotes(db, 50),
    'the end of a receipt': () => receipts.endLaunch(db, id),
    'receipts that are discarded': () => receipts.discardOld(db),
    'airdrops that are not delivered': () => airdrops.undelivered(db),
    'how many airdrops are not delivered': () => airdrops.backlog(db),
    'an airdrop by mint': () => airdrops.byMint(db, 'mint-70'),
    'the progress of an airdrop': () => airdrops.progressOf(db, airdropId),
    'the open transactions of an airdrop': () => airdrops.openBatches(db, airdropId),
    'recipients that no launch took up': () => recipientSets.discardExpired(db),
    'labelled wallets among others': () => labelledWallets.amongst(db, ['exchange-7', 'wallet-7', 'x']),
    'how long landing takes': () => landingSeconds(db, new Date()),
    'stuck launches': () => launches.stuck(db, since),
    'claims that take too long': () => claims.overdue(db, since, 20),
    'where the newest metadata is stored': () => newestMetadata(db, 3),
    'open launches by state': () => countOpenLaunches(db),
    'a free launch address': () => launchAddresses.takeOne(db, {}),
    'the number of free launch addresses': () => launchAddresses.countFree(db, 'seed-1'),
    'the live transactions of a launch': () => chainTransactions.liveByPrefix(db, `launch/${id}/`),
    'the attempts of a purpose': () => chainTransactions.attemptsOf(db, launchPurpose(id, 1)),
    'unsettled transactions': () => chainTransactions.unsettled(db, since),
    'a token': () => tokens.byMint(db, 'mint-77'),
    'the token list': () => listTokens(db, {}, 'marketCap', page),
    'a search': () => listTokens(db, { q: 'name 1777' }, 'marketCap', page),
    'the tokens of a pair': () => listTokens(db, { quoteMint: 'quote-7' }, 'marketCap', page),
    'the asset index': () => tokens.assetIndex(db, { limit: 500, offset: 1_000, order: 'oldest' }),
    'what a token’s holders were paid': () => findRewardTotals(db, 'mint-77'),
    'the newest payouts': () => listDistributions(db, { since: null, after: null }, 25),
    'payouts since a time': () => listDistributions(db, { since, after: null }, 25),
    'payouts after a page': () =>
      listDistributions(db, { since: null, after: { landedAt: since, signature: 'x' } }, 25),
    'what a wallet was paid': () => listPayouts(db, 'owner-7', { since: null, after: null }, 25),
    'what a wallet was paid after a page': () =>
      listPayouts(db, 'owner-7', { since, after: { paidAt: since, roundId: id } }, 25),
    'what a wallet was paid by day': () => listDays(db, 'owner-7', { since, mostPayouts: 100, mostRows: 25 }),
    'the claims of a wallet': () => listClaims(db, 'wallet-7', id, 25),
    'the positions of a wallet': () => listPositions(db, 'wallet-7', null, 25),
    'the positions whose Fee Key a launch gave a wallet': () => listPositions(db, 'wallet-10', 10_000n, 25),
    'how many of them come after one': () => countPositions(db, 'wallet-10', 10_000n),
    'how many positions of a wallet come after one': () => countPositions(db, 'wallet-7', 10_000n),
    'open reward rounds': () => rewardRounds.open(db),
    'the quote tokens of reward rounds without a plan': () => rewardRounds.unplannedQuotes(db),
    'the newest reward rounds': () => rewardRounds.newest(db, 25),
    'the newest reward rounds of a token': () => rewardRounds.newest(db, 25, 'mint-77'),
    'the backlog of reward rounds': () => rewardRounds.backlog(db),
    'the opening of reward rounds that only the chain showed': () => rewardRounds.reopenFound(db),
    'sealed reward rounds without their plan': () => rewardRounds.sealedWithoutPlan(db),
    'reward tokens by their pots': () => rewardTokens.ofPots(db, ['pot-7']),
    'a reward round': () => rewardRounds.byId(db, id),
    'the observations of a reward round': () => rewardSnapshots.ofRound(db, id),
    'the transactions of a reward round': () => rewardTransactions.ofRound(db, id),
    'the public rounds of a token': () => rewardRecord.rounds(db, 'mint-77', page),
    'how many public rounds a token has': () => rewardRecord.countRounds(db, 'mint-77'),
    'a public round by its number': () => rewardRecord.roundId(db, 'mint-77', 1),
    'whom a reward round left out': () => rewardRecord.leftOut(db, id, page),
    'how many a reward round left out': () => rewardRecord.countLeftOut(db, id),
    'what a pot holds': () => rewardTransactions.funds(db, 'mint-77'),
    'the payouts of a transaction': () => rewardPayouts.ofBatch(db, { roundId: id, n: 0 }),
    'the payouts of a reward round': () => rewardPayouts.ofRound(db, id),
    'how many holders a reward round has paid': () => rewardPayouts.holdersOf(db, id),
    'the accounts of owners with several at the observations of a reward round': () =>
      rewardSnapshots.otherAccounts(db, id),
    'where tax lay withheld in a reward round': () => rewardSnapshots.withheld(db, id),
    'whether a log is due': () => sealedLogs.isDue(db),
    'the log that is not sealed': () => sealedLogs.open(db),
    'the newest log': () => sealedLogs.newest(db),
    'the newest log that is sealed': () => sealedLogs.newestSealed(db),
    'the newest log that was sealed before a slot': () => sealedLogs.newestTableBefore(db, 7_000n),
    'the log of a receipt': () => sealedLogs.sealed(db, 7),
    'wallets that act for the platform': () => walletManifest.ownNow(db),
    'own wallets of a role': () => walletManifest.after(db, 5_000, 'launch', 26),
    'a statement': () => statements.after(db, 'pot-7', 5, 26),
    'own wallets': () => walletManifest.after(db, 5_000, null, 26),
    'wallets of the platform among holders': () => platformWallets(db, ['wallet-7', 'pot-9', 'somebody']),
    'the newest price': () => prices.latest(db, 'mint-7'),
    'the newest prices of several tokens': () => prices.latestOf(db, ['mint-7', 'mint-8']),
  };

  it.each(Object.entries(reads))('%s', async (_name, read) => {
    const plan = await plansOf(read);
    expect(plan).toMatch(/Scan/);
    // Pairs are few, and read whole; the log's state is one row, and tables of days and months without rows are empty.
    expect(plan).not.toMatch(/Seq Scan on (?!pairs|event_log|\w+ \w+ {2}\(cost=0\.00\.\.0\.00)/);
  });

  it('the pages of the lists come out of an index in order: nothing is sorted before it is cut to a page', async () => {
    const listed = ['the ledger', 'the ledger of a creator', 'the ledger of reward launches', 'the asset index'];
    for (const read of [...listed, 'the newest payouts']) {
      const plan = await plansOf(reads[read]!);
      expect(plan, read).toMatch(/Limit/);
      expect(plan, read).not.toMatch(/Limit[^\n]*\n\s*->\s+(Incremental )?Sort/);
    }
  });
});

describe('fees, burns and revenue are read off indexes, however many there are', () => {
  const key = { mint: 'mint-77', number: 1 };
  const reads: Record<string, () => Promise<unknown>> = {
    'positions whose pools changed': () => duePositions(db, '', 100),
    'the next page of them': () => duePositions(db, 'pool-5', 100),
    'sweeps that are due': () => feeSweeps.takeDue(db),
    'a sweep': () => feeSweeps.byKey(db, key),
    'open sweeps of a token': () => feeSweeps.open(db, { mint: 'mint-200' }, 50),
    'open sweeps': () => feeSweeps.open(db, {}, 50),
    'the number of open sweeps': () => feeSweeps.countOpen(db),
    'a harvest': () => feeHarvests.byKey(db, key),
    'the newest harvests': () => feeHarvests.newest(db, 25),
    'the burns of a token': () => burns.ofMint(db, 'mint-77', 25),
    'their totals': () => burns.totalsOf(db, 'mint-77'),
    'the newest burns': () => burns.newest(db, ['fee-sweep'], 25),
    'the newest burns of several kinds': () => burns.newest(db, ['buyback', 'flywheel'], 25),
    'a purchase': () => buybackRounds.byId(db, 'buyback-mint-77-1'),
    'open purchases': () => buybackRounds.open(db),
    'the newest purchases': () => buybackRounds.newest(db, 25),
    'the number of open purchases': () => buybackRounds.countOpen(db),
  };

  it.each(Object.entries(reads))('%s', async (_name, read) => {
    const plan = await plansOf(read);
    expect(plan).toMatch(/Index (Only )?Scan|Bitmap/);
    // Quote tokens are few, and read whole.
    expect(plan).not.toMatch(/Seq Scan on (?!pairs)/);
  });
});

describe('the promises are counted at every scrape', () => {
  beforeAll(async () => {
    // The window holds a few of them, as it does on a platform of some age.
    await sql`update launches set submitted_at = updated_at`.execute(db);
    await sql`vacuum analyze launches`.execute(db);
  });

  it('by the rows of their windows and by open ones, off indexes', async () => {
    const plan = await plansOf(() => promiseCounts(db, new Date()));
    expect(plan).toMatch(/Index Scan using launches_newest/);
    // The operator's own endpoints are few, and read whole; nothing was restocked here.
    expect(plan).not.toMatch(/Seq Scan on (?!webhook_endpoints|restock_rounds[^\n]*\(cost=0\.00\.\.0\.0)/);
  });
});
