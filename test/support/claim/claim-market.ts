import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, PublicKey, type TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { readTokens } from '../../../chain/tokens/token-info.ts';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { type Creator, createCreator, type Prepared, signatureIn } from '../platform/creator.ts';
import { eventually } from '../platform/eventually.ts';
import type { Platform } from '../platform/platform.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

/** A launched token with somebody to trade it. */
export interface Market {
  readonly creator: Creator;
  readonly mint: string;
  readonly pool: PublicKey;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly feeKeyMint: PublicKey;
  /** Both Fee Keys, the first of them `feeKeyMint`. */
  readonly feeKeyMints: readonly PublicKey[];
  /** What prepare promised. */
  readonly prepared: Prepared;
  readonly trader: Keypair;
  /** A buy for so many raw quote tokens, or a sell of so many raw launched ones; resolves with the input once it is confirmed. */
  trade(side: 'buy' | 'sell', amount: bigint): Promise<bigint>;
  /** What a wallet holds at `confirmed`, raw units. */
  holdings(owner: PublicKey): Promise<{ base: bigint; quote: bigint }>;
}

/** Quote tokens of a trader, raw units. */
export const TRADER_QUOTE_RAW = 10n ** 13n;

/** Launches a token and gives a trader quote tokens. */
export async function openMarket(platform: Platform, launch: object = {}): Promise<Market> {
  const creator = await createCreator(platform);
  const { prepared, submission } = await creator.launchToEnd(launch);
  const status = await creator.status(signatureIn(submission.signedTransaction));
  const trading = await openTrading(platform, prepared.mint);
  const { base, quote } = trading;
  const feeKeyMints = (status.data?.feeKeyMints ?? []).map((key) => new PublicKey(key));
  const [feeKeyMint] = feeKeyMints;
  if (!feeKeyMint) throw new Error('the launch names no Fee Key');
  return {
    ...trading,
    creator,
    mint: prepared.mint,
    feeKeyMint,
    feeKeyMints,
    prepared,
    holdings: async (owner) => ({
      base: await balanceOf(platform, base, owner),
      quote: await balanceOf(platform, quote, owner),
    }),
  };
}

/** Gives somebody quote tokens, who trades a launched token with them. */
export async function openTrading(
  platform: Platform,
  mint: string,
): Promise<Pick<Market, 'pool' | 'base' | 'quote' | 'trader' | 'trade'>> {
  const token = await platform.db.selectFrom('tokens').selectAll().where('mint', '=', mint).executeTakeFirstOrThrow();
  const mints = [new PublicKey(mint), new PublicKey(token.quoteMint)];
  const [base, quote] = await readTokens(platform.connection, mints);
  if (!base || !quote) throw new Error('the mints of the launch are not there');
  const trader = Keypair.generate();
  const gift = [{ mint: token.quoteMint, amount: TRADER_QUOTE_RAW }];
  await confirmed(platform, platform.chain.control.give(trader.publicKey.toBase58(), 10n ** 10n, gift));
  const parts = { pool: new PublicKey(token.pool), base, quote, trader };
  return { ...parts, trade: (side, amount) => trade(platform, parts, side, amount) };
}

type Parts = Pick<Market, 'pool' | 'base' | 'quote' | 'trader'>;

async function trade(platform: Platform, market: Parts, side: 'buy' | 'sell', amount: bigint): Promise<bigint> {
  const { base, quote, pool, trader } = market;
  const state = await platform.exchange.readPool(pool);
  if (!state) throw new Error('the pool is not there');
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const group = platform.exchange.buildSwap({
    base,
    quote,
    side,
    exact: 'in',
    amount,
    state,
    limit: 1n,
    owner: trader.publicKey,
    inputTokenAccount: accountOf(input, trader.publicKey),
    outputTokenAccount: accountOf(output, trader.publicKey),
  });
  await land(platform, trader, [openAccount(output, trader.publicKey, trader), ...group.instructions], group.signers);
  return amount;
}

/** Sends instructions as a wallet's own transaction; resolves once they are confirmed, throws when they fail. */
export async function land(
  { connection }: Pick<Platform, 'connection'>,
  payer: Keypair,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[] = [],
): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash();
  const plan = { payer: payer.publicKey, instructions, computeUnits: 300_000, computeUnitPrice: 0n, blockhash };
  const transaction = compileTransaction(plan);
  transaction.sign([payer, ...signers]);
  return confirmed({ connection }, await connection.sendRawTransaction(transaction.serialize()));
}

/** Waits until a transaction is confirmed. Throws when it failed. */
export async function confirmed({ connection }: Pick<Platform, 'connection'>, signature: string): Promise<string> {
  await eventually(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
    return value && value.confirmationStatus !== 'processed' ? value : null;
  }, `the confirmation of ${signature}`);
  return signature;
}

/** What tells where a token's accounts are. */
type Token = Pick<TokenInfo, 'mint' | 'tokenProgram'>;

export function accountOf({ mint, tokenProgram }: Token, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}

export function openAccount(token: Token, owner: PublicKey, payer: Keypair): TransactionInstruction {
  const { mint, tokenProgram } = token;
  const account = accountOf(token, owner);
  return createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, account, owner, mint, tokenProgram);
}

/** What a wallet's associated account holds at `confirmed`, raw units; 0 without one. */
export async function balanceOf(
  { connection }: Pick<Platform, 'connection'>,
  token: Token,
  owner: PublicKey,
): Promise<bigint> {
  const account = await connection.getAccountInfo(accountOf(token, owner), 'confirmed');
  return account ? account.data.readBigUInt64LE(64) : 0n;
}

/** A base64 transaction as an object. */
export function decode(base64: string): VersionedTransaction {
  return VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
}

/** A transaction in base64. */
export function encode(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}
