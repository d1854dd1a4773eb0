/** Calls and seconds of `slipway verify round`. node bench/verify-round.ts [holders] */
import { createRpcChain } from '../client/verify/rpc-chain.ts';
import { verifyRound } from '../client/verify/round/verify-round.ts';
import { batchesOf } from '../domain/batches.ts';
import { documentLines, rootOfLines } from '../domain/proof/lines.ts';
import { roundDocument } from '../domain/reward/round-document.ts';
import { splitRewards } from '../domain/reward/split-among-holders.ts';
import { startProofFixture } from '../test/support/proof/paid-round.ts';

const count = Number(process.argv[2] ?? 1_000);
/** Of holders without a quote account. */
const PAID_AT_ONCE = 7;

const ground = await startProofFixture(count);
try {
  const coin = await ground.coin();
  const owners = new Map(ground.others.map((owner) => [owner.toBase58(), owner]));
  const budgetRaw = 10n ** 10n;
  const held = [...owners.keys()].map((owner) => ({ owner, balanceRaw: 1n, rentRaw: 0n }));
  const observations = await Promise.all([0, 1, 2].map((n) => ground.momentOf(coin.base, n)));
  const sale = await ground.sell(coin, 1_000n, budgetRaw);
  const { shares, restRaw } = splitRewards(budgetRaw, held, 1n);
  const payouts = shares.map((share, index) => {
    return { ...share, kind: 'holder' as const, n: 2 + Math.floor(index / PAID_AT_ONCE) };
  });
  const mint = coin.base.mint.toBase58();
  const facts = {
    kind: 'reward-round',
    environment: 'bench',
    genesisHash: ground.genesisHash,
    mint,
    quoteMint: coin.quote.mint.toBase58(),
    pool: coin.pool.publicKey.toBase58(),
    pot: coin.pot.publicKey.toBase58(),
    number: 1,
    id: 'bench',
    previous: null,
    openedSlot: ground.window.slot - 1,
    window: { ...ground.window },
    observations,
    movements: [sale],
    budgetRaw: String(budgetRaw),
    restRaw: String(restRaw),
    minimumRaw: '1',
    leastPayoutRaw: '1',
    saleAverage: '10000000',
    rules: { minHoldingUsd: '10', minPayoutUsd: '0.000001', averageMinutes: 30 },
    prices: { averagePrice: '10000000', ...ground.table.stated },
  };
  const balances = new Map(held.map(({ owner, balanceRaw }) => [owner, balanceRaw]));
  const { head, rows } = roundDocument({
    facts,
    observations: observations.map(() => balances),
    payouts,
    leftOut: [],
    otherAccounts: new Map(),
  });
  const lines = [...documentLines(head, rows)];
  await ground.seal(coin, rootOfLines(lines));
  let last = '';
  for (const batch of batchesOf(payouts, PAID_AT_ONCE)) {
    const payments = batch.flatMap(({ owner, amountRaw: raw }) => ground.pay(coin, { owner: owners.get(owner)!, raw }));
    ({ signature: last } = await ground.land(coin, payments));
  }
  await ground.final(last);
  for (const owner of [undefined, held[0]?.owner]) {
    const chain = createRpcChain({ urls: [ground.rpcUrl] });
    const begun = performance.now();
    const log = () => ({ text: [ground.table.text], source: 'the log' });
    const document = { text: [lines.join('\n')], source: 'the bench', log };
    const asked = { mint, number: 1, ...document, windowSlots: ground.window.slots };
    const checks = await verifyRound({ ...asked, chain, ...(owner !== undefined && { owner }) });
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    const proven = checks.filter(({ status }) => status === 'proven').length;
    const what = owner === undefined ? `${count} holders` : 'one of them';
    console.log(`${what}: ${proven} of ${checks.length} checks proven, ${chain.calls} calls, ${seconds} s`);
    for (const { name, status, how } of checks) console.log(`${status} ${name}: ${how}`);
  }
} finally {
  await ground.close();
}
