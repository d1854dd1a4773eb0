import { randomUUID } from 'node:crypto';
import { createApproveInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { buildPayment } from '../../../chain/launch/payment.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { type LaunchStep, launchPurpose } from '../../../domain/purpose.ts';
import { signatureOf } from '../dev/localnet-chain.ts';
import { accountOf } from '../exchange/test-chain.ts';
import { type Landing, mintInstructions, move, openAccount, pay, type Tax, type TheftGround } from './theft-ground.ts';

export const PAID_LAMPORTS = 250_000_000n;

/** The four transactions of a launch, and whose keys signed them. */
export interface LandedLaunch {
  readonly quoteId: string;
  readonly creator: Keypair;
  readonly launchWallet: Keypair;
  readonly coin: TokenInfo;
  /** Payment, mint, pool, locks. */
  readonly steps: readonly Landing[];
}

export interface LaunchFacts {
  readonly tax?: Tax;
  /** Further instructions in the creator's payment. */
  readonly paysFor?: (creator: Keypair) => readonly TransactionInstruction[];
  /** Of the supply, kept by the launch wallet for an airdrop. */
  readonly shareRaw?: bigint;
  readonly devBuy?: DevBuy;
  /** May move what the launch wallet kept. */
  readonly delegate?: PublicKey;
}

export interface DevBuy {
  readonly quote: TokenInfo;
  /** Pays the quote tokens to the launch wallet. */
  readonly treasury: Keypair;
  readonly quoteRaw: bigint;
  /** Coins that the creator gets for them. */
  readonly coinRaw: bigint;
}

const [SUPPLY, LOCKED] = [10n ** 15n, 10n ** 14n];

interface Parts {
  readonly ground: TheftGround;
  readonly quoteId: string;
  readonly creator: Keypair;
  readonly launchWallet: Keypair;
  readonly coin: TokenInfo;
  readonly mint: Keypair;
  readonly pool: Keypair;
  readonly facts: LaunchFacts;
}

/**
 * Lands a launch as four transactions of one block. No program of an exchange runs here: a wallet stands in for the
 * pool, and the locks are a transfer to it.
 */
export async function landLaunch(ground: TheftGround, facts: LaunchFacts = {}): Promise<LandedLaunch> {
  const [creator, launchWallet, pool] = [ground.newWallet(), ground.newWallet(), ground.newWallet()];
  const [mint, quoteId] = [Keypair.generate(), randomUUID()];
  const coin = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID };
  const parts = { ground, quoteId, creator, launchWallet, coin, mint, pool, facts };
  await openQuoteAccounts(parts);
  const transactions = [await paymentOf(parts), await mintOf(parts), await poolOf(parts), await locksOf(parts)];
  for (const transaction of transactions) await ground.send(transaction);
  ground.advance(1);
  const steps = [];
  for (const transaction of transactions) steps.push(await ground.landed(signatureOf(transaction)));
  return { quoteId, creator, launchWallet, coin, steps };
}

async function openQuoteAccounts({ ground, creator, launchWallet, pool, facts: { devBuy } }: Parts): Promise<void> {
  if (!devBuy) return;
  const opened = [launchWallet, creator, pool].map((one) =>
    openAccount(creator.publicKey, devBuy.quote, one.publicKey),
  );
  await ground.land(creator, opened);
}

const memo = (quoteId: string, step: LaunchStep, signers: readonly PublicKey[] = []) =>
  memoInstruction(launchPurpose(quoteId, step), signers);

async function paymentOf({ ground, quoteId, creator, launchWallet, facts: { paysFor } }: Parts) {
  const [payer, wallet] = [creator.publicKey, launchWallet.publicKey];
  if (paysFor) {
    const paid = SystemProgram.transfer({ fromPubkey: payer, toPubkey: wallet, lamports: PAID_LAMPORTS });
    const instructions = [paid, memo(quoteId, 1, [wallet]), ...paysFor(creator)];
    return ground.sign(instructions, { payer: creator, signers: [launchWallet] });
  }
  const { blockhash } = await ground.latestBlockhash();
  const place = { quoteId, creator: payer, launchWallet: wallet, feeRecipient: null };
  const payment = buildPayment({ ...place, lamports: PAID_LAMPORTS, blockhash, computeUnitPrice: 1n });
  payment.sign([creator, launchWallet]);
  return payment;
}

function mintOf({ ground, quoteId, launchWallet, coin, mint, facts }: Parts) {
  const wallet = launchWallet.publicKey;
  const { devBuy, tax = { bps: 100, withdrawAuthority: wallet } } = facts;
  const paid = devBuy ? [move(devBuy.quote, devBuy.treasury.publicKey, wallet, devBuy.quoteRaw)] : [];
  const instructions = [...mintInstructions(coin, { payer: wallet, owner: wallet, tax }), ...paid, memo(quoteId, 2)];
  return ground.sign(instructions, { payer: launchWallet, signers: [mint, ...(devBuy ? [devBuy.treasury] : [])] });
}

function poolOf({ ground, quoteId, creator, launchWallet, coin, pool, facts }: Parts) {
  const { devBuy, shareRaw = 0n } = facts;
  const [wallet, to] = [launchWallet.publicKey, pool.publicKey];
  const dealt = devBuy
    ? [move(devBuy.quote, wallet, to, devBuy.quoteRaw), ...pay(wallet, coin, to, creator.publicKey, devBuy.coinRaw)]
    : [];
  const instructions = [...pay(wallet, coin, wallet, to, SUPPLY - shareRaw - LOCKED), ...dealt, memo(quoteId, 3)];
  return ground.sign(instructions, { payer: launchWallet, signers: devBuy ? [pool] : [] });
}

function locksOf({ ground, quoteId, launchWallet, coin, pool, facts: { delegate } }: Parts) {
  const wallet = launchWallet.publicKey;
  const own = accountOf(coin, wallet);
  const given = delegate ? [createApproveInstruction(own, delegate, wallet, 9n, [], coin.tokenProgram)] : [];
  const instructions = [move(coin, wallet, pool.publicKey, LOCKED), ...given, memo(quoteId, 4)];
  return ground.sign(instructions, { payer: launchWallet });
}
