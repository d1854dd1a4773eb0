import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { blocksLeft } from '../../chain/rpc/blocks-left.ts';
import { networkFeeOfMessage } from '../../chain/transactions/wallet-changes.ts';
import { transaction } from '../../db/connect.ts';
import { openPaymentsOf } from '../../db/launch/unpaid-launches.ts';
import { abandonSigned } from '../../db/money/chain-transaction-batches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { solText } from '../../domain/amounts.ts';
import { shortageOf } from '../../domain/launch/shortage.ts';
import type { LaunchDeps } from './deps.ts';

const WALLET_BYTES = 0;

/**
 * Abandons its transactions and sets `not_landed` in one database transaction. If one may be on its way, nothing
 * changes and the launch goes on landing.
 */
export async function giveUpUnsent(
  deps: LaunchDeps,
  quoteId: string,
  bundle: readonly ChainTransaction[],
  reason: string,
): Promise<void> {
  const ended = await transaction(deps.db, async (tx) => {
    if (bundle.length > 0 && !(await abandonSigned(tx, bundle)).ok) return false;
    // Another run may have signed the bundle; then that run goes on.
    const from = bundle.length > 0 ? (['received', 'preparing'] as const) : (['received'] as const);
    return transitionLaunch(tx, quoteId, from, 'not_landed', { reason });
  });
  deps.logger.info({ reason, ended }, 'launch given up before anything was sent');
}

/** Undefined while its blockhash is valid. */
export async function expiryOf({ rpc }: LaunchDeps, { terms }: LaunchRecord): Promise<string | undefined> {
  const { lastValidBlockHeight } = terms.payment;
  const left = await blocksLeft(rpc, lastValidBlockHeight, 0);
  if (left >= 0) return undefined;
  return `the quote came too late: its payment could land until block ${lastValidBlockHeight}, and the chain is at ${lastValidBlockHeight - left}`;
}

/** Returns how much SOL the creator's wallet lacks; undefined if it can pay. */
export async function creatorShortage(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  const { creator: wallet, payment } = launch.terms;
  const need = {
    wallet,
    payment: BigInt(payment.lamports),
    networkFee: networkFeeOfMessage(VersionedTransaction.deserialize(launch.submittedWire).message),
    rent: await deps.rpc.agreedRent(WALLET_BYTES),
  };
  const held = await heldLamports(deps, wallet, need.payment + need.networkFee + need.rent);
  return shortageOf({ ...need, held });
}

/**
 * Time in which a landed payment gets booked, ms. Before that it counts twice: its lamports are gone, and its row is
 * still open.
 */
const BOOKED_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 250;

/**
 * Returns by how much the wallet's open payments exceed its balance, as text; undefined if they do not. An early check,
 * before anything is reserved or stored: `lockOpenPayments` decides.
 */
export async function overdraftOf(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<string | undefined> {
  const startedAt = deps.now().getTime();
  for (;;) {
    const others = await openPaymentsOf(deps.db, terms.creator, quoteId);
    if (others === 0n) return undefined;
    const needed = BigInt(terms.payment.lamports) + others;
    const overdraft = shortfallOf(terms, await heldLamports(deps, terms.creator, needed), others);
    if (overdraft === undefined || deps.now().getTime() - startedAt > BOOKED_WITHIN_MS) return overdraft;
    await deps.sleep(LOOK_AGAIN_MS);
  }
}

export async function heldLamports({ rpc }: LaunchDeps, wallet: string, needed: bigint): Promise<bigint> {
  const said = BigInt(await rpc.connection.getBalance(new PublicKey(wallet), 'confirmed'));
  return said > needed ? said : rpc.mostLamports(wallet);
}

/** Undefined if the balance covers this payment and the wallet's other open ones. Lamports. */
export function shortfallOf({ creator, payment }: LaunchTerms, held: bigint, others: bigint): string | undefined {
  const needed = BigInt(payment.lamports);
  if (held > needed + others) return undefined;
  const what = `wallet ${creator} holds ${solText(held)}; the payment takes ${solText(needed)} and its network fee`;
  return others === 0n ? what : `${what}, and its launches that are not paid yet take ${solText(others)}`;
}
