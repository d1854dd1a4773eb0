import type { Alarm } from '../alarm.ts';
import { PROMISES_METRIC } from '../condition.ts';
import { PROMISES, type PromiseClass } from '../promises.ts';

type Terms = Pick<Alarm, 'subject' | 'severity' | 'chapter' | 'command' | 'line'>;

/** Promises of a class that are neither kept nor refused, for longer than they may take. */
function overdue(name: PromiseClass, terms: Terms): Alarm {
  return {
    ...terms,
    when: {
      kind: 'series',
      metric: PROMISES_METRIC,
      where: { class: [name], outcome: ['unknown'] },
      reduce: 'max',
      above: 0,
    },
    lasting: '30s',
  };
}

/** Makes an alarm for so few kept promises of a class within its window that something stops them all. */
function notKept(name: PromiseClass, share: number, leastBroken: number, terms: Terms): Alarm {
  const reduce = { database: 'max', store: 'max', responses: 'sum' } as const;
  return {
    ...terms,
    when: { kind: 'kept', class: name, share, leastBroken, reduce: reduce[PROMISES[name].countedIn] },
    lasting: '30s',
    unit: 'share',
  };
}

/** Promises to users that are not kept. */
export const PROMISE_ALARMS = {
  SlipwayLaunchesOverdue: overdue('launch', {
    subject: 'launch',
    severity: 'page',
    line: '{value} launches are neither live nor ended two minutes after their submission',
    chapter: 'launch-states',
    command: 'npm run ops -- launches stuck',
  }),
  SlipwayLaunchesNotKept: notKept('launch', 0.5, 3, {
    subject: 'launch',
    severity: 'page',
    line: 'of the launches of the last 15 minutes only {value} went live: bundles do not land, quotes come too late, or a part fails',
    chapter: 'nothing-lands',
    command: 'npm run ops -- launches list --state not_landed',
  }),
  SlipwayClaimsOverdue: overdue('claim', {
    subject: 'claim',
    severity: 'page',
    line: '{value} claims are neither paid nor ended minutes after their submission',
    chapter: 'claims-of-creator-fees',
    command: 'npm run ops -- claims list',
  }),
  SlipwayClaimsNotKept: notKept('claim', 0.5, 3, {
    subject: 'claim',
    severity: 'page',
    line: 'of the claims of the last 15 minutes only {value} were paid',
    chapter: 'claims-of-creator-fees',
    command: 'npm run ops -- claims list',
  }),
  SlipwayAirdropsOverdue: overdue('airdrop', {
    subject: 'airdrop',
    severity: 'ticket',
    line: '{value} airdrops are not delivered for half an hour',
    chapter: 'airdrops',
    command: 'npm run ops -- airdrops stuck',
  }),
  SlipwayRewardsOverdue: overdue('reward', {
    subject: 'round',
    severity: 'ticket',
    line: '{value} reward rounds do not pay their holders',
    chapter: 'rounds-of-money',
    command: 'npm run ops -- rewards list',
  }),
  SlipwayFeeSweepsOverdue: overdue('fee-sweep', {
    subject: 'round',
    severity: 'ticket',
    line: '{value} sweeps of fees are not collected or not burned for hours',
    chapter: 'rounds-of-money',
    command: 'npm run ops -- fee-sweeps list',
  }),
  SlipwayBuybacksOverdue: overdue('buyback', {
    subject: 'round',
    severity: 'ticket',
    line: '{value} purchases are not done or not burned for hours',
    chapter: 'rounds-of-money',
    command: 'npm run ops -- buybacks list',
  }),
  SlipwayRestocksOverdue: overdue('restock', {
    subject: 'inventory',
    severity: 'ticket',
    line: '{value} restocks do not end',
    chapter: 'inventory-and-restocks',
    command: 'npm run ops -- inventory show',
  }),
  SlipwayWebhooksNotKept: notKept('webhook', 0.5, 3, {
    subject: 'webhook',
    severity: 'page',
    line: 'only {value} of the webhook endpoints get their events: the fault is on this side',
    chapter: 'a-webhook-endpoint-is-behind',
    command: 'npm run ops -- webhooks list',
  }),
  SlipwayFilesLost: notKept('file', 1, 1, {
    subject: 'storage',
    severity: 'page',
    line: 'the store lacks files that it took: of the newest launches only {value} have theirs',
    chapter: 'the-store-loses-files',
    command: 'put the files back into STORE_DIR from its backup (their names are their hashes), or mount it again',
  }),
  SlipwayPreparesNotKept: notKept('prepare', 0.5, 3, {
    subject: 'api',
    severity: 'page',
    line: 'only {value} of the prepares of the last five minutes got a quote: prices, the pair, storage or an endpoint',
    chapter: 'launching-on-raydium',
    command: 'npm run ops -- doctor --of api',
  }),
  SlipwaySubmitsNotKept: notKept('submit', 0.5, 3, {
    subject: 'api',
    severity: 'page',
    line: 'only {value} of the submits of the last five minutes were taken in: quotes come too late, or a part is away',
    chapter: 'nothing-lands',
    command: 'npm run ops -- doctor --of api',
  }),
  SlipwayClaimRequestsNotKept: notKept('claim-request', 0.5, 3, {
    subject: 'api',
    severity: 'page',
    line: 'only {value} of the requests for claims of the last five minutes were answered',
    chapter: 'claims-of-creator-fees',
    command: 'npm run ops -- doctor --of api',
  }),
  SlipwayReadsNotKept: notKept('read', 0.95, 5, {
    subject: 'api',
    severity: 'page',
    line: 'only {value} of the reads of the last five minutes were answered; see the log',
    chapter: 'logs-and-alarms',
    command: 'npm run ops -- doctor --of api',
  }),
  SlipwayLaunchWaits: {
    subject: 'launch',
    severity: 'page',
    when: { kind: 'series', metric: 'slipway_launches', where: { state: ['needs_recovery'] }, reduce: 'max', above: 0 },
    line: '{value} creators paid and wait for a decision',
    chapter: 'deciding-about-a-parked-launch',
    command: 'npm run ops -- launches stuck',
  },
  SlipwayLandingSlow: {
    subject: 'launch',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'slipway_launch_landing_seconds',
      where: { quantile: ['0.95'] },
      reduce: 'max',
      above: 60,
    },
    lasting: '10m',
    line: 'one launch in twenty takes more than {value} to land',
    unit: 'seconds',
    chapter: 'launching-on-raydium',
    command: 'npm run ops -- launches list',
  },
  SlipwayAddressesLow: {
    subject: 'addresses',
    severity: 'page',
    when: { kind: 'series', metric: 'slipway_free_launch_addresses', reduce: 'max', below: 50 },
    lasting: '1m',
    line: '{value} free launch addresses are left and no worker adds any: prepare will answer 503',
    chapter: 'when-a-part-is-down',
    command: 'npm run ops -- doctor --of worker',
  },
  SlipwayMintSuffixLow: {
    subject: 'addresses',
    severity: 'ticket',
    when: { kind: 'series', metric: 'slipway_free_suffixed_launch_addresses', reduce: 'max', below: 10 },
    lasting: '30m',
    line: '{value} free launch addresses with LAUNCH_MINT_SUFFIX are left: launches get addresses without it',
    chapter: 'the-suffix-of-mint-addresses',
    command: 'npm run ops -- doctor --of worker',
  },
  SlipwayPausedForLong: {
    subject: 'switches',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'slipway_switch_off',
      where: { name: ['launching', 'claiming'] },
      by: ['name'],
      reduce: 'max',
      above: 0,
    },
    lasting: '1h',
    line: '{name} is switched off',
    chapter: 'pausing',
    command: 'npm run ops -- switches set {name} on',
  },
} as const satisfies Record<string, Alarm>;
