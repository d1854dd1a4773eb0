import { addressBytes, toBase58 } from '../solana/bytes.ts';
import { lamportTransferIn } from '../solana/lamport-transfer.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM } from '../solana/programs.ts';
import type { Chain } from './chain.ts';
import { NotProvable } from './check.ts';
import { listedTransaction } from './listed-transaction.ts';
import type { Landed } from './landed.ts';

export interface Seal {
  readonly signature: string;
  readonly slot: number;
  /** Paid and signed it. */
  readonly payer: string;
  /** Hex. */
  readonly root: string;
  /** The document is about it. */
  readonly about: string;
}

/** Instructions in front of the seal. */
const STEP_INSTRUCTIONS = 3;

/**
 * Returns the seal of a transaction; null if it is none. A seal did not fail, uses no lookup table, and has a lane's
 * step and one transfer alone: of 0 lamports, from the payer to itself, with two more accounts.
 */
export function sealIn({ hasFailed, loaded, instructions, signers, signature, slot }: Landed): Seal | null {
  const work = instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM);
  const [steps, [transfer, ...others]] = [work.slice(0, STEP_INSTRUCTIONS), work.slice(STEP_INSTRUCTIONS)];
  if (hasFailed || loaded.length > 0 || !transfer || others.length > 0) return null;
  if (steps.some(({ program }) => program !== TOKEN_PROGRAM) || lamportTransferIn(transfer)?.lamports !== 0n)
    return null;
  const [from, to, root, about, ...more] = transfer.accounts.map(({ address }) => address);
  const [payer] = signers;
  if (!payer || from !== payer || to !== payer || !root || !about || more.length > 0) return null;
  return { signature, slot, payer, root: hexOf(addressBytes(root)), about };
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function rootAddress(root: string): string {
  return toBase58(Uint8Array.from(root.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/**
 * Number of transactions that are listed of a root: at least so many, and more for each one that `--most` allows to read.
 * Strangers can name the root too, and pay for that: mostly behind the seal, which is the first to name it.
 */
const [LISTED_AT_LEAST, LISTED_FOR_ONE] = [20_000, 10];

/** Finds the first seal by this wallet. */
export async function findSeal(
  chain: Chain,
  named: Pick<Seal, 'root' | 'about'>,
  payer: string,
  most: number,
): Promise<Seal | null> {
  return (await findSealBy(chain, named, (seal) => seal.payer === payer, most)).own;
}

export interface FoundSeal {
  /** The first of the platform's own. */
  readonly own: Seal | null;
  /** Those before it, by wallets that may be a stranger's. */
  readonly others: readonly Seal[];
}

/** Finds the first seal that counts as the platform's own. Throws NotProvable where a listed transaction cannot be read. */
export async function findSealBy(
  chain: Chain,
  { root, about }: Pick<Seal, 'root' | 'about'>,
  isOwn: (seal: Seal) => boolean,
  most: number,
): Promise<FoundSeal> {
  const others: Seal[] = [];
  const listed = Math.max(LISTED_AT_LEAST, most * LISTED_FOR_ONE);
  const { entries, isWhole } = await chain.history(rootAddress(root), { most: listed });
  if (!isWhole) throw new NotProvable(`more than ${listed} transactions name the root ${root}: raise --most`);
  for (const { signature, hasFailed } of entries.toReversed()) {
    const seal = hasFailed ? null : sealIn(await listedTransaction(chain, signature));
    if (seal?.root !== root || seal.about !== about) continue;
    if (isOwn(seal)) return { own: seal, others };
    others.push(seal);
  }
  return { own: null, others };
}
