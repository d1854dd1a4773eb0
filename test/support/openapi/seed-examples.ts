import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { deriveReceiptKey } from '../../../chain/keys/receipt-key.ts';
import * as claims from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import * as receipts from '../../../db/launch/receipts.ts';
import { receiptText } from '../../../domain/launch/receipt.ts';
import { listPair } from '../api/test-pairs.ts';
import { issueClaim } from '../claim/issued-claim.ts';
import { bookBurn, bookHarvest } from '../fee-sweep/revenue-rows.ts';
import { launchedToken, rewardFacts, type TokenFacts } from '../launch/launched-token.ts';
import { insertSwaps } from '../market/swap-rows.ts';
import { insertPaidRound, insertRecord } from '../reward/reward-rows.ts';

/** The same address, or signature, for the same name, whenever it is asked for. */
const addressOf = (name: string) => bs58.encode(createHash('sha256').update(`address of ${name}`).digest());
const signatureOf = (name: string) => bs58.encode(createHash('sha512').update(`signature of ${name}`).digest());

/** The moment that examples are of. */
export const EXAMPLE_NOW = new Date('2026-11-21T18:00:00Z');
const at = (time: string) => new Date(`2026-11-21T${time}Z`);

const QUOTE = addressOf('USDC');

/** What paths of examples name. */
export const EXAMPLE = {
  standard: addressOf('Harbour Light'),
  reward: addressOf('Tide Pool'),
  payment: signatureOf('payment for Harbour Light'),
  pot: addressOf('pot of Tide Pool'),
  quote: QUOTE,
  holder: addressOf('holder'),
  claimant: addressOf('creator of Harbour Light'),
  trader: addressOf('trader'),
};

/** Fills a database with what the examples of the OpenAPI document show: the same whenever it is done. */
export async function seedExamples(db: Db): Promise<void> {
  await listPair(db, {
    mint: QUOTE,
    symbol: 'USDC',
    name: 'USD Coin',
    category: 'currency',
    logoUrl: 'https://example.com/usdc.png',
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  });
  await launchedToken(db, factsOf('Harbour Light', 'HARBOR', '10:00:00'));
  const { terms, token } = rewardFacts(100);
  await launchedToken(db, factsOf('Tide Pool', 'TIDE', '11:00:00', { terms, token }));
  await db
    .updateTable('launchStateHistory')
    .set({ at: at('11:00:05') })
    .execute();
  await seedReceipt(db);
  await seedTrades(db);
  await seedMoney(db);
}

async function seedReceipt(db: Db): Promise<void> {
  const launch = await launches.bySignature(db, EXAMPLE.payment);
  if (!launch) throw new Error('the example has no launch');
  const { quoteId, creator, mint, terms } = launch;
  const context = { environment: 'production', genesisHash: addressOf('genesis') };
  const text = receiptText({
    ...context,
    quoteId,
    creator,
    mint,
    launchWallet: terms.addresses.launchWallet,
    paymentSignature: EXAMPLE.payment,
    kind: 'completed',
    lamports: terms.payment.lamports,
    slot: 1_234,
    signatures: [EXAMPLE.payment, ...['mint', 'pool', 'locks'].map((name) => signatureOf(`${name} of Harbour Light`))],
  });
  const secret = new Uint8Array(createHash('sha256').update('seed of examples').digest());
  const jws = deriveReceiptKey({ id: 'seed-1', secret }, context).receiptFor(text);
  await receipts.keep(db, quoteId, { kind: 'completed', jws });
  const root = createHash('sha256').update('log 1').digest('hex');
  const content = { receiptCount: 1, walletCount: 2, walletRoot: root, prices: '[]' };
  const seal = { sealSignature: signatureOf('seal of log 1'), sealSlot: 2_345n };
  await db
    .insertInto('sealedLogs')
    .values({ number: 1, root, ...content, ...seal })
    .execute();
  await db.updateTable('receipts').set({ logNumber: 1 }).execute();
}

function factsOf(
  name: string,
  symbol: string,
  time: string,
  more: Pick<TokenFacts, 'terms' | 'token'> = {},
): TokenFacts {
  const of = (what: string) => addressOf(what === '' ? name : `${what} of ${name}`);
  const creator = of('creator');
  const hex = createHash('sha256').update(name).digest('hex');
  return {
    launchedAt: at(time),
    paymentSignature: signatureOf(`payment for ${name}`),
    market: { marketCapUsd: '10001', lastSlot: 2_000n },
    terms: {
      quoteId: [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `8${hex.slice(17, 20)}`,
        hex.slice(20, 32),
      ].join('-'),
      name,
      symbol,
      creator,
      addresses: {
        launchWallet: of('launch wallet'),
        mint: of(''),
        positionMints: [of('position 1'), of('position 2')],
        feeKeyMints: [of('Fee Key 1'), of('Fee Key 2')],
      },
      quoteToken: { mint: QUOTE, symbol: 'USDC', decimals: 6, tokenProgram: addressOf('token program') },
      ...more.terms,
    },
    token: { name, symbol, creator, pool: of('pool'), quoteMint: QUOTE, quoteSymbol: 'USDC', ...more.token },
  };
}

async function seedTrades(db: Db): Promise<void> {
  const trade = (name: string, time: string) => ({
    signature: signatureOf(name),
    wallet: addressOf('trader'),
    blockTime: at(time),
  });
  await insertSwaps(db, EXAMPLE.standard, [
    {
      ...trade('trade 1', '12:00:00'),
      side: 'buy',
      baseRaw: 2_000_000_000_000n,
      quoteRaw: 20_000_000n,
    },
    { ...trade('trade 2', '12:01:00'), side: 'sell', baseRaw: 500_000_000_000n, quoteRaw: 5_000_000n },
  ]);
}

async function seedMoney(db: Db): Promise<void> {
  const swept = { mint: EXAMPLE.standard, quoteMint: QUOTE };
  await bookHarvest(db, swept, { harvestedAt: at('13:00:00'), signature: signatureOf('harvest') });
  await bookBurn(db, EXAMPLE.standard, { burnedAt: at('13:00:30'), signature: signatureOf('burn') });
  await seedRewardRound(db);
}

async function seedRewardRound(db: Db): Promise<void> {
  const roundId = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11';
  const paid = { landedAt: at('14:00:00'), signature: signatureOf('payout') };
  await insertPaidRound(db, EXAMPLE.reward, [EXAMPLE.holder, addressOf('another holder')], {
    roundId,
    amountRaw: 2_500_000n,
    ...paid,
  });
  await seedClaim(db);
  await insertRecord(db, roundId, {
    blockhashes: ['blockhash 1', 'blockhash 2', 'blockhash 3'].map(addressOf),
    leftOut: [
      { owner: addressOf('pool of Tide Pool'), reason: 'pool', balanceRaw: 600_000_000_000_000_000n },
      { owner: addressOf('closed'), reason: 'accountClosed', balanceRaw: 3_000_000_000_000n },
    ],
    belowMinimum: 41,
  });
}

async function seedClaim(db: Db): Promise<void> {
  const intentId = '7f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b22';
  const facts = { mint: EXAMPLE.standard, nonceAccount: addressOf('nonce'), wallet: EXAMPLE.claimant };
  await issueClaim(db, intentId, facts);
  await claims.submit(db, intentId, signatureOf('claim'), null);
  await claims.transition(db, intentId, ['submitted'], 'relaying');
  await claims.transition(db, intentId, ['relaying'], 'relayed', { slot: 6_000n });
  await claims.transition(db, intentId, ['relayed'], 'finalized', { slot: 6_000n });
  await db
    .updateTable('claimIntents')
    .set({ issuedAt: at('15:00:00'), expiresAt: at('15:01:30'), relayedAt: at('15:00:20') })
    .execute();
}
