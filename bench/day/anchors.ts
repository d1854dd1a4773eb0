export const ANCHORS = {
  tokens: 133_265,
  launchesPerHour: 290,
  swapsPerDay: 1_000_000,
  payoutTransactionsPerDay: 100_000,
  readsPerSecond: 200,
} as const;

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export interface Pace {
  readonly launchMs: number;
  readonly swapMs: number;
  readonly readMs: number;
}

/** @param scale 1 is the whole load */
export function paceAt(scale: number): Pace {
  return {
    launchMs: HOUR_MS / (ANCHORS.launchesPerHour * scale),
    swapMs: DAY_MS / (ANCHORS.swapsPerDay * scale),
    readMs: 1_000 / (ANCHORS.readsPerSecond * scale),
  };
}

export interface Target {
  readonly what: string;
  readonly before: string;
  readonly reach: string;
  readonly bench: string;
}

export const TARGETS: readonly Target[] = [
  {
    what: 'a movement, 20 in flight',
    before: '102 RPC, 290 SQL',
    reach: '8 RPC, 12 SQL, 3 status calls/s',
    bench: 'calls',
  },
  {
    what: 'a launch',
    before: '85 RPC, 457 SQL, 8 tasks, 56 events',
    reach: '25, 60, 3, 31; half of the CPU',
    bench: 'calls',
  },
  { what: 'a launch more than a bare bundle', before: '345 to 622 ms', reach: '150 ms', bench: 'launch-latency' },
  { what: 'launches a second, 24 at once', before: '2.1', reach: '4; p50 5 s', bench: 'launch-load' },
  { what: 'a swap', before: '7 to 19 RPC, 23 to 56 SQL', reach: '0.2 and 4; by looks 3 RPC', bench: 'market-stream' },
  {
    what: '133,265 pools, none trades',
    before: '1,333 calls, 294 MB a look',
    reach: 'stream 0; looks 1,400 calls, 20 MB in 10 min',
    bench: 'market-stream',
  },
  {
    what: '100 swaps/s on 2,000 pools',
    before: '18 pools/s',
    reach: 'backlog 500, empty in 15 s; p95 1 s',
    bench: 'market-stream',
  },
  { what: 'stream cut, dropped, forked', before: 'no stream', reach: 'equal to a recount', bench: 'market-stream' },
  {
    what: 'a reward round',
    before: '90 activities, 1,000 events, 550 RPC, 4 scans',
    reach: '15, 180, 40 + 8 a payout, 0',
    bench: 'reward-round',
  },
  {
    what: 'planning over 99,411 coins, nothing due',
    before: '199 h',
    reach: '0 RPC, 1 s of SQL',
    bench: 'idle-planning',
  },
  {
    what: 'a round of 12,000 transactions',
    before: 'fails for ever',
    reach: 'ends, is planned again',
    bench: 'long-round',
  },
  {
    what: 'a coin of 100,000 holders',
    before: '8 to 10 s of CPU',
    reach: '0.8 s, outside of the API',
    bench: 'holders',
  },
  {
    what: 'trades beside 200 rounds and 10 airdrops',
    before: 'the index waits',
    reach: 'p95 1.5 times',
    bench: 'open-rounds',
  },
  { what: 'a quote token moves 0.2 %', before: '267 min', reach: '60 s, 0 RPC, 5 statements', bench: 'reprice' },
  { what: '/stats; page 5,000', before: '0.5 to 1 s; 83 ms', reach: '5 ms; 2 times page 1', bench: 'totals' },
  { what: 'a swap’s row', before: '775 B', reach: '400 B', bench: 'swap-rows' },
];
