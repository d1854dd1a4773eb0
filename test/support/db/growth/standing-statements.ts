import { canChangeBooks } from '../../../../db/api-role.ts';
import * as airdrops from '../../../../db/airdrop/airdrops.ts';
import * as buybackBudgets from '../../../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../../../db/buyback/buyback-rounds.ts';
import * as claims from '../../../../db/claim/claims.ts';
import type { Db } from '../../../../db/connect.ts';
import { heldBackSeconds } from '../../../../db/events/event-days.ts';
import * as eventLog from '../../../../db/events/event-log.ts';
import * as webhookEndpoints from '../../../../db/events/webhook-endpoints.ts';
import { webhookLags } from '../../../../db/events/webhook-lag.ts';
import * as feeSweeps from '../../../../db/fee-sweep/fee-sweeps.ts';
import { commonestFailure } from '../../../../db/launch/commonest-failure.ts';
import * as launchAddresses from '../../../../db/launch/launch-addresses.ts';
import { countOpenLaunches, landingSeconds, newestMetadata } from '../../../../db/launch/launch-counts.ts';
import * as launches from '../../../../db/launch/launches.ts';
import * as poolCursors from '../../../../db/market/pool-cursors.ts';
import * as endedTransactions from '../../../../db/money/ended-transactions.ts';
import * as findings from '../../../../db/money/findings.ts';
import * as holdings from '../../../../db/money/holdings.ts';
import * as laneChecks from '../../../../db/money/lane-checks.ts';
import * as laneSteps from '../../../../db/money/lane-steps.ts';
import * as lanes from '../../../../db/money/lanes.ts';
import { openWorkAccounts } from '../../../../db/money/open-work-accounts.ts';
import * as uncharged from '../../../../db/money/uncharged.ts';
import * as unknownWork from '../../../../db/money/unknown-work.ts';
import * as pairs from '../../../../db/pairs.ts';
import * as labelledWallets from '../../../../db/platform/labelled-wallets.ts';
import { promiseCounts } from '../../../../db/platform/promise-counts.ts';
import * as switches from '../../../../db/platform/switches.ts';
import * as walletManifest from '../../../../db/platform/wallet-manifest.ts';
import * as restockRounds from '../../../../db/restock/restock-rounds.ts';
import * as rewardRounds from '../../../../db/reward/reward-rounds.ts';

/** Measured, or the reason why its cost does not follow from the size of history. */
export type StandingStatement = ((db: Db) => Promise<unknown>) | string;

const ID = '00000000-0000-4000-8000-000000000077';
const HOUR_AGO = new Date(Date.now() - 3_600_000);

const BY_KEY = 'writes the rows given, by their keys';
const NO_TABLE = 'reads no table that grows';

/**
 * What runs at each start, comparison of the books, scrape, `ops status`, `ops doctor` and `ops lanes show`, by module and
 * function of `db/`. A test compares the names with the calls in the code.
 */
export const STANDING_STATEMENTS: Readonly<Record<string, StandingStatement>> = {
  'airdrop/airdrops backlog': (db) => airdrops.backlog(db),
  'airdrop/airdrops failing': (db) => airdrops.failing(db, 50),
  'api-role canChangeBooks': (db) => canChangeBooks(db),
  'buyback/buyback-budgets all': (db) => buybackBudgets.all(db),
  'buyback/buyback-rounds countOpen': (db) => buybackRounds.countOpen(db),
  'catalogue/live-schema assertSchemaKnown': NO_TABLE,
  'catalogue/live-schema createSchemaCheck': NO_TABLE,
  'catalogue/live-schema schemaReport': NO_TABLE,
  'claim/claims knownAmong': (db) => claims.knownAmong(db, [ID]),
  'claim/claims newest': (db) => claims.newest(db, { states: ['submitted'] }, 50),
  'claim/claims overdue': (db) => claims.overdue(db, HOUR_AGO, 50),
  'events/event-days discardForeign': 'deletes what another cluster wrote, after a restore alone',
  'events/event-days heldBackSeconds': (db) => heldBackSeconds(db),
  'events/event-log end': (db) => eventLog.end(db),
  'events/event-log readAfter': (db) => eventLog.readAfter(db, { generation: 1, xid: 1n, id: 1n, day: 20_000 }, {}, 25),
  'events/webhook-endpoints list': (db) => webhookEndpoints.list(db),
  'events/webhook-endpoints skip': BY_KEY,
  'events/webhook-keys note': BY_KEY,
  'events/webhook-lag webhookLags': (db) => webhookLags(db),
  'fee-sweep/fee-sweeps countOpen': (db) => feeSweeps.countOpen(db),
  'inventory/stock markedStockOf': 'reads the books of one pair: db/inventory/stock-books.ts',
  'launch/commonest-failure commonestFailure': (db) => commonestFailure(db, 60),
  'launch/launch-addresses addFree': BY_KEY,
  'launch/launch-addresses countAllFree': (db) => launchAddresses.countAllFree(db),
  'launch/launch-addresses countFree': (db) => launchAddresses.countFree(db, 'seed-1'),
  'launch/launch-addresses discardFree': 'deletes free addresses, of which a bounded number is kept',
  'launch/launch-addresses discardOtherSuffixes': 'deletes free addresses, of which a bounded number is kept',
  'launch/launch-counts countOpenLaunches': (db) => countOpenLaunches(db),
  'launch/launch-counts landingSeconds': (db) => landingSeconds(db, HOUR_AGO),
  'launch/launch-counts newestMetadata': (db) => newestMetadata(db, 5),
  'launch/launches byQuoteId': (db) => launches.byQuoteId(db, ID),
  'launch/launches parked': (db) => launches.parked(db, null),
  'launch/launches stuck': (db) => launches.stuck(db, HOUR_AGO),
  'long-transactions endLongTransactions': NO_TABLE,
  'market/pool-cursors recent': (db) => poolCursors.recent(db, 100),
  'money/ended-transactions endedWithin': (db) => endedTransactions.endedWithin(db, 3_600),
  'money/ended-transactions overdue': (db) => endedTransactions.overdue(db, 1),
  'money/findings all': (db) => findings.all(db),
  'money/findings lastCheckAt': (db) => findings.lastCheckAt(db),
  'money/findings replace': BY_KEY,
  'money/holdings boughtToBurn': (db) => holdings.boughtToBurn(db),
  'money/holdings burned': (db) => holdings.burned(db),
  'money/holdings harvestedToBurn': (db) => holdings.harvestedToBurn(db),
  'money/holdings pots': (db) => holdings.pots(db),
  'money/holdings setAside': (db) => holdings.setAside(db),
  'money/holdings unbooked': (db) => holdings.unbooked(db, 600),
  'money/holdings undelivered': (db) => holdings.undelivered(db),
  'money/lane-checks broken': (db) => laneChecks.broken(db),
  'money/lane-checks check': 'reads as broken does, and writes one row a lane',
  'money/lane-steps unnamed': (db) => laneSteps.unnamed(db),
  'money/lanes all': (db) => lanes.all(db),
  'money/lanes write': BY_KEY,
  'money/open-work-accounts openWorkAccounts': (db) => openWorkAccounts(db),
  'money/uncharged markCompared': BY_KEY,
  'money/uncharged nextPage': (db) => uncharged.nextPage(db),
  'money/unknown-work knownQuotes': (db) => unknownWork.knownQuotes(db, [ID]),
  'money/unknown-work knownSignatures': (db) => unknownWork.knownSignatures(db, ['signature-77']),
  'money/unknown-work newestQuoteSlot': (db) => unknownWork.newestQuoteSlot(db),
  'money/unknown-work note': BY_KEY,
  'money/unknown-work noteRead': BY_KEY,
  'money/unknown-work readUpTo': (db) => unknownWork.readUpTo(db, 'wallet-7'),
  'money/unknown-work setPayment': BY_KEY,
  'money/unknown-work standing': (db) => unknownWork.standing(db),
  'pairs list': (db) => pairs.list(db),
  'platform/clock-skew clockSkew': NO_TABLE,
  'platform/database-questions databaseQuestions': NO_TABLE,
  'platform/environment claimEnvironment': NO_TABLE,
  'platform/labelled-wallets addMissing': BY_KEY,
  'platform/labelled-wallets list': (db) => labelledWallets.list(db),
  'platform/oldest-writer oldestWriter': NO_TABLE,
  'platform/promise-counts promiseCounts': (db) => promiseCounts(db, new Date()),
  'platform/refused-writes assertTakesWrites': NO_TABLE,
  'platform/refused-writes readOnlySetting': NO_TABLE,
  'platform/refused-writes refusedWrites': NO_TABLE,
  'platform/switches list': (db) => switches.list(db),
  'platform/waiting-commits waitingCommits': NO_TABLE,
  'platform/wallet-manifest knownAmong': (db) => walletManifest.knownAmong(db, ['wallet-7']),
  'platform/wallet-manifest noteOwn': BY_KEY,
  'platform/wallet-manifest notedAt': (db) => walletManifest.notedAt(db, 'wallet-7'),
  'restock/restock-rounds uncleared': (db) => restockRounds.uncleared(db),
  'reward/reward-rounds backlog': (db) => rewardRounds.backlog(db),
  'reward/reward-rounds open': (db) => rewardRounds.open(db),
  'reward/reward-rounds sealedWithoutPlan': (db) => rewardRounds.sealedWithoutPlan(db),
};

export interface Growth {
  /** Times as many buffers with ten times the history. */
  readonly most: number;
  readonly why: string;
}

const BY_PURPOSE = 'finds the steps of open work by purpose: each probe reads one more level of that index';

/** Statements that may touch over 1.25 times as much with ten times the history. */
export const GROWING: Readonly<Record<string, Growth>> = {
  'money/holdings pots': { most: 1.5, why: BY_PURPOSE },
  'money/holdings undelivered': { most: 1.5, why: BY_PURPOSE },
  'money/open-work-accounts openWorkAccounts': {
    most: 1.5,
    why: 'finds tokens and pools of open work by mint: each probe reads one more level of these indexes',
  },
  'platform/labelled-wallets list': { most: 10, why: 'answers every labelled wallet, which operators add by hand' },
};
