import type { Alarm } from '../alarm.ts';

const CHAPTER = 'the-market-lags-or-stands-still';
const LOOKED_AT = 'slipway_market_last_look_timestamp_seconds';
/** A worker that no longer follows the market keeps its last figures. */
const whileFresh = { metric: LOOKED_AT, seconds: 300 } as const;

/** Prices, the market index, and those that read events. */
export const MARKET_ALARMS = {
  SlipwayPricesOld: {
    subject: 'prices',
    severity: 'page',
    when: {
      kind: 'series',
      metric: 'slipway_api_price_age_seconds',
      where: { source: { not: ['fixed'] } },
      by: ['symbol', 'mint'],
      reduce: 'max',
      above: 90,
    },
    lasting: '30s',
    line: 'the newest price of {symbol} is {value} old: its launches answer 503',
    unit: 'seconds',
    chapter: CHAPTER,
    command: 'npm run ops -- doctor --of api',
  },
  SlipwayMarketLags: {
    subject: 'market',
    severity: 'ticket',
    when: { kind: 'series', metric: 'slipway_market_lag_slots', reduce: 'max', whileFresh, above: 150 },
    lasting: '5m',
    line: 'swaps do not become final for {value} slots',
    chapter: CHAPTER,
    command: 'npm run ops -- market check --all',
  },
  SlipwayMarketNotLookedAt: {
    subject: 'market',
    severity: 'ticket',
    when: { kind: 'age', metric: LOOKED_AT, above: 60 },
    lasting: '2m',
    line: 'the market is not polled for {value}',
    unit: 'seconds',
    chapter: CHAPTER,
    command: 'npm run ops -- doctor --of worker',
  },
  SlipwayMarketGap: {
    subject: 'market',
    severity: 'ticket',
    when: { kind: 'series', metric: 'slipway_market_gaps', reduce: 'max', whileFresh, above: 0 },
    lasting: '15m',
    line: 'the history of {value} pools has a gap that does not heal',
    chapter: CHAPTER,
    command: 'npm run ops -- market check --all',
  },
  SlipwayStreamCut: {
    subject: 'market',
    severity: 'ticket',
    when: {
      kind: 'both',
      of: [
        { kind: 'series', metric: 'slipway_market_stream_connected', reduce: 'max', below: 1 },
        { kind: 'series', metric: 'slipway_market_stream_pools', reduce: 'max', above: 0 },
      ],
    },
    lasting: '5m',
    line: 'the market stream is cut; all pools are compared once a minute',
    chapter: CHAPTER,
    command: 'npm run ops -- doctor --of worker',
  },
  SlipwayEventsHeldBack: {
    subject: 'events',
    severity: 'ticket',
    when: { kind: 'series', metric: 'slipway_events_held_back_seconds', reduce: 'max', above: 60 },
    lasting: '2m',
    line: 'events are {value} late for their readers: a transaction stays open',
    unit: 'seconds',
    chapter: 'events-are-late',
    command:
      'psql "$DATABASE_URL" -c "select pid, application_name, now() - xact_start as open_for from pg_stat_activity where backend_xid is not null order by xact_start limit 5"',
  },
  SlipwayWebhookBehind: {
    subject: 'webhook',
    severity: 'ticket',
    when: {
      kind: 'series',
      metric: 'slipway_webhook_behind_seconds',
      by: ['endpoint'],
      reduce: 'max',
      above: 900,
    },
    lasting: '5m',
    line: 'webhook endpoint {endpoint} is {value} behind, or paused',
    unit: 'seconds',
    chapter: 'a-webhook-endpoint-is-behind',
    command: 'npm run ops -- webhooks test {endpoint}',
  },
} as const satisfies Record<string, Alarm>;
