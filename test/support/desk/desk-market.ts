import { Keypair, type PublicKey, VersionedTransaction } from '@solana/web3.js';
import { launchPool, type LaunchUnderTest } from '../exchange/launched-pool.ts';
import type { LaunchCase } from '../exchange/launch-request.ts';
import { accountOf, createTestChain, type TestChain } from '../exchange/test-chain.ts';
import { recordToken } from '../launch/recorded-token.ts';
import type { DeskUnderTest } from './desk-app.ts';

/** A wallet with SOL and quote tokens, and no account of the launched token. */
export interface Trader {
  readonly wallet: Keypair;
  readonly address: string;
}

/** Whole quote tokens of a trader. */
export const TRADER_QUOTE = 100_000n;

/** The desk's chain as tests use it. */
export function chainOf({ connection, localnet }: DeskUnderTest): Promise<TestChain> {
  return createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
}

/** Launches on the desk's exchange, and records the token as a launch's last step does. */
export async function launchToken(desk: DeskUnderTest, chain: TestChain, launch: LaunchCase): Promise<LaunchUnderTest> {
  const launched = await launchPool(desk.launching.exchange, chain, launch);
  await recordToken(desk.db, launched, launch.fee, { createdAt: new Date(), createdSlot: 1_000n });
  return launched;
}

/** A new trader. */
export async function openTrader({ chain, request }: LaunchUnderTest): Promise<Trader> {
  const wallet = Keypair.generate();
  await chain.fund(wallet.publicKey, 1_000_000_000);
  await chain.give(request.quote, wallet.publicKey, TRADER_QUOTE * 10n ** BigInt(request.quote.decimals));
  return { wallet, address: wallet.publicKey.toBase58() };
}

/** What a trader holds, raw units. */
export async function holdings({ chain, request }: LaunchUnderTest, owner: PublicKey) {
  const [base, quote] = [accountOf(request.base, owner), accountOf(request.quote, owner)];
  return { base: await chain.balance(base), quote: await chain.balance(quote) };
}

/** Signs as a wallet does, sends, and resolves with the error of the landed transaction, null for none. */
export async function signAndSend(
  { connection }: DeskUnderTest,
  transaction: string,
  wallet: Keypair,
): Promise<unknown> {
  const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  signed.sign([wallet]);
  const signature = await connection.sendRawTransaction(signed.serialize(), { skipPreflight: true });
  for (let attempt = 0; attempt < 200; attempt++) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value && value.confirmationStatus !== 'processed') return value.err;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${signature} did not land`);
}
