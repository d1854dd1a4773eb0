import { documentLines, rootOfLines } from '../../../domain/proof/lines.ts';
import { roundDocument } from '../../../domain/reward/round-document.ts';
import { splitRewards } from '../../../domain/reward/split-among-holders.ts';
import { someAddress } from './scripted-chain.ts';

const [mint, quoteMint, pool, pot, treasury] = Array.from({ length: 5 }, someAddress) as [
  string,
  string,
  string,
  string,
  string,
];

/** Holders with 300 and 100 units, one whose share is too small, and one who came late. */
export const HOLDERS = { most: someAddress(), some: someAddress(), tiny: someAddress(), late: someAddress() };

const [NUMBER, BUDGET_RAW, MINIMUM_RAW, LEAST_PAYOUT_RAW, RENT_RAW] = [3, 1_000n, 1n, 10n, 20n];

/** The sealed document of a round that was divided by the rules, as the platform writes it. */
export function honestRound() {
  const { most, some, tiny, late } = HOLDERS;
  const held = new Map([
    [most, 300n],
    [some, 100n],
    [tiny, 1n],
  ]);
  const candidates = [...held].map(([owner, balanceRaw]) => ({
    owner,
    balanceRaw,
    rentRaw: owner === some ? RENT_RAW : 0n,
  }));
  const split = splitRewards(BUDGET_RAW, candidates, LEAST_PAYOUT_RAW);
  const rents = { owner: treasury, kind: 'rent', n: 2, amountRaw: RENT_RAW, rentRaw: 0n } as const;
  const { head, rows } = roundDocument({
    facts: factsWith(split.restRaw),
    observations: [held, held, new Map([...held, [late, 50n]])],
    payouts: [...split.shares.map((share) => ({ ...share, kind: 'holder' as const, n: 1 })), rents],
    leftOut: [
      { owner: tiny, reason: 'belowLeastPayout', balanceRaw: 1n },
      { owner: late, reason: 'notThroughout', balanceRaw: 0n },
    ],
    otherAccounts: new Map([[most, [someAddress()]]]),
  });
  const lines = [...documentLines(head, rows)];
  return { mint, number: NUMBER, lines, root: Buffer.from(rootOfLines(lines)).toString('hex') };
}

function factsWith(restRaw: bigint) {
  const observation = { blockhash: 'hash', readSlot: 11, answerSlots: [11, 12], quorum: 2 };
  return {
    kind: 'reward-round',
    environment: 'test',
    genesisHash: 'genesis',
    mint,
    quoteMint,
    pool,
    pot,
    number: NUMBER,
    id: '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11',
    previous: null,
    openedSlot: 2_900,
    window: { slot: 3_000, slots: 3_000 },
    observations: [0, 1, 2].map((n) => ({ ...observation, n, slot: 3_000 + n * 1_000 })),
    movements: [],
    saleAverage: null,
    prices: {
      averagePrice: '0.00001',
      quoteUsd: '1.02',
      solUsd: '150',
      source: 'fixed',
      pricedAt: '2026-11-21T12:00:00.000Z',
      table: null,
    },
    rules: { minHoldingUsd: '20', minPayoutUsd: '0.05' },
    budgetRaw: String(BUDGET_RAW),
    restRaw: String(restRaw),
    minimumRaw: String(MINIMUM_RAW),
    leastPayoutRaw: String(LEAST_PAYOUT_RAW),
  };
}
