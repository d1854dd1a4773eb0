export interface Bench {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly seconds: number;
}

export const BENCHES: readonly Bench[] = [
  {
    name: 'launch-costs',
    file: 'launch-costs.ts',
    about: 'bytes, compute units and lamports of every kind of launch',
    seconds: 5,
  },
  {
    name: 'localnet-throughput',
    file: 'localnet-throughput.ts',
    about: 'transactions a second that land on the local chain over HTTP',
    seconds: 15,
  },
  {
    name: 'temporal-step',
    file: 'temporal-step.ts',
    about: "three activities in sequence, with the Temporal server's default poll rate and with ours",
    seconds: 40,
  },
  {
    name: 'reads',
    file: 'reads.ts',
    about: 'GET /tokens and /openapi.json against a bare node:http handler and Fastify hello-world',
    seconds: 120,
  },
  {
    name: 'year',
    file: 'year.ts',
    about:
      'buffers of the statements that run again and again, at 0.01 and 0.1 of a year of the platform (9 GB of disk)',
    seconds: 3_600,
  },
  {
    name: 'promised',
    file: 'promised.ts',
    about: 'the ratios and counts that docs/scale.md promises, three rounds each, against what is written',
    seconds: 1_200,
  },
  {
    name: 'holders',
    file: 'holders.ts',
    about: 'CPU and standstill of a process that reads the holders of a coin with 100,000 accounts',
    seconds: 80,
  },
  {
    name: 'logo-bombs',
    file: 'logo-bombs.ts',
    about: 'a launch beside pictures of every format that cost the most to decode, against one by itself',
    seconds: 90,
  },
  {
    name: 'search',
    file: 'search.ts',
    about: 'search with 100,000 tokens against search with 1,000',
    seconds: 70,
  },
  {
    name: 'swap-rows',
    file: 'swap-rows.ts',
    about: 'bytes of a swap in the database: its row and its share of each index, after 200,000 swaps on 20,000 pools',
    seconds: 90,
  },
  {
    name: 'totals',
    file: 'totals.ts',
    about: '/stats and pages deep in the lists with 133,265 tokens, and what keeping the totals costs a write',
    seconds: 110,
  },
  {
    name: 'reprice',
    file: 'reprice.ts',
    about: 'the figures of 133,265 tokens once their quote tokens moved by 0.2 %, and what a trade waits meanwhile',
    seconds: 150,
  },
  {
    name: 'peaks',
    file: 'peaks.ts',
    about: 'statements and buffers of a round of peaks with 2,000 and with 133,265 pools',
    seconds: 60,
  },
  {
    name: 'idle-planning',
    file: 'idle-planning.ts',
    about: 'a run of the reward planning over 99,411 untraded reward tokens',
    seconds: 60,
  },
  {
    name: 'market-stream',
    file: 'market-stream.ts',
    about:
      'what the index of the market asks for a swap, by a stream and without; 100 swaps a second; a stream that fails; 133,265 idle pools',
    seconds: 510,
  },
  {
    name: 'events',
    file: 'events.ts',
    about: 'commit → client by stream and by webhook at 100 facts a second; 2,000 idle streams; webhooks at rest',
    seconds: 400,
  },
  {
    name: 'stream-crowd',
    file: 'stream-crowd.ts',
    about: 'reads and launches through the proxy beside 1,600 idle streams over two APIs, against without',
    seconds: 560,
  },
  {
    name: 'calls',
    file: 'calls.ts',
    about: 'RPC calls and SQL statements of a movement of money and of a launch, with one endpoint and with two',
    seconds: 220,
  },
  {
    name: 'reward-round',
    file: 'reward-round.ts',
    about: 'activities, events, RPC calls, scans and SQL statements of a reward round with 3 and with 60 holders',
    seconds: 480,
  },
  {
    name: 'long-round',
    file: 'long-round.ts',
    about:
      'a reward round of many payout transactions: its time, history, calls and memory, whether all were paid once',
    seconds: 240,
  },
  {
    name: 'open-rounds',
    file: 'open-rounds.ts',
    about: 'what a trade waits until the API can show it while 200 reward rounds and 10 airdrops are open',
    seconds: 210,
  },
  {
    name: 'airdrop',
    file: 'airdrop.ts',
    about:
      'an airdrop to 5,000 wallets with slots of 400 ms, and what a trade waits until the API can show it meanwhile',
    seconds: 400,
  },
  {
    name: 'pages',
    file: 'pages.ts',
    about: "the built site's pages, visited by Lighthouse",
    seconds: 300,
  },
  {
    name: 'launch-load',
    file: 'launch-load.ts',
    about:
      'launches one by one and 24 at once: latency, workflow tasks, events, CPU of each part; --beside another checkout',
    seconds: 240,
  },
  {
    name: 'mint-suffix',
    file: 'mint-suffix.ts',
    about:
      'CPU of a mint address with 1 to 4 chosen letters; launches while the worker searches, against while it does not',
    seconds: 240,
  },
  {
    name: 'launch-latency',
    file: 'launch-latency.ts',
    about: 'submit → completed against a bare bundle → confirmed, and the share that is Temporal',
    seconds: 90,
  },
  {
    name: 'day',
    file: 'day.ts',
    about:
      'five minutes of a large platform’s day at a tenth: launches, trades, reward rounds and readers on 133,265 tokens',
    seconds: 600,
  },
];

/**
 * In order; `all`: all.
 *
 * @throws RangeError for an unknown bench
 */
export function benchesNamed(names: readonly string[]): Bench[] {
  if (names.length === 1 && names[0] === 'all') return [...BENCHES];
  return names.map((name) => {
    const found = BENCHES.find((bench) => bench.name === name);
    if (found) return found;
    throw new RangeError(`there is no bench "${name}"; there are ${BENCHES.map((bench) => bench.name).join(', ')}`);
  });
}
