import type { Chain, Listed } from '../chain.ts';
import { Difference, NotProvable } from '../check.ts';
import { type Landed, gainOf } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/programs.ts';
import { findSeal, type Seal, sealIn } from '../seal.ts';
import type { RoundDocument } from './round-document.ts';

export interface PotHistory {
  /** Null for the first round. */
  readonly previousSeal: Seal | null;
  /** Behind the previous seal. */
  readonly before: readonly Landed[];
  /** Until the next seal, or now. */
  readonly after: readonly Landed[];
  /** The next round was sealed: this one has ended. */
  readonly isClosed: boolean;
}

/** Entries read behind the seal; the next one ends it. */
const MOST_LISTED = 20_000;

/**
 * Reads from the previous seal to the next.
 *
 * @param most transactions in each direction
 * @throws Difference where another document was sealed in this one's place
 */
export async function readPotHistory(
  chain: Chain,
  document: RoundDocument,
  seal: Seal,
  most: number,
): Promise<PotHistory> {
  const { pot, previous } = document;
  const last = previous === null ? null : await findSeal(chain, { root: previous, about: pot }, seal.payer);
  if (previous !== null && last === null)
    throw new Difference(
      'the document before this one is not sealed',
      { value: previous, from: '`previous`' },
      noSeal(chain),
    );
  const before = [];
  const until = last && { until: last.signature };
  for (const landed of await readAll(chain, pot, { before: seal.signature, ...until, most })) {
    const other = sealOf(landed, seal, pot);
    if (other) throw anotherSeal(other, last, seal);
    before.push(landed);
  }
  const later = await chain.history(pot, { until: seal.signature, most: MOST_LISTED });
  if (!later.isWhole) throw new NotProvable(`more than ${MOST_LISTED} transactions name the pot since the seal`);
  const after = [];
  for (const { signature } of later.entries.filter(hasLanded).toReversed()) {
    if (after.length === most) throw new NotProvable(`more than ${most} transactions name the pot behind the seal`);
    const landed = await listedTransaction(chain, signature);
    if (sealOf(landed, seal, pot)) return { previousSeal: last, before, after, isClosed: true };
    after.push(landed);
  }
  return { previousSeal: last, before, after, isClosed: false };
}

function noSeal({ name }: Chain) {
  return { value: 'no seal of it', from: `history of that root, ${name}` };
}

function anotherSeal({ root, signature }: Seal, last: Seal | null, seal: Seal): Difference {
  const place = last ? `between ${last.signature} and ${seal.signature}` : `before ${seal.signature}`;
  const expected = { value: `no other seal ${place}`, from: '`previous` of the document' };
  return new Difference('another document was sealed for this pot', expected, { value: root, from: signature });
}

function sealOf(landed: Landed, { payer }: Seal, pot: string): Seal | null {
  const seal = sealIn(landed);
  return seal?.payer === payer && seal.about === pot ? seal : null;
}

const hasLanded = ({ hasFailed }: Listed) => !hasFailed;

async function readAll(chain: Chain, pot: string, range: { before: string; until?: string; most: number }) {
  const { entries, isWhole } = await chain.history(pot, range);
  if (!isWhole || entries.length > range.most)
    throw new NotProvable(`more than ${range.most} transactions name the pot between two seals`);
  const read = [];
  for (const { signature } of entries.filter(hasLanded).toReversed())
    read.push(await listedTransaction(chain, signature));
  return read;
}

/** Instructions by which an owner gives another key power over its tokens (spl-token, instruction.rs). */
const GIVES_AWAY: Readonly<Record<number, string>> = {
  4: 'Approve',
  6: 'SetAuthority',
  9: 'CloseAccount',
  13: 'ApproveChecked',
};

/** True if the pot signed: only its key moves its tokens, unless it made another key a delegate. */
export function isBy(pot: string, { signers }: Landed): boolean {
  return signers.includes(pot);
}

/** @throws Difference where a wallet gave another key power over its accounts */
export function mustKeepAccounts({ instructions, signature }: Landed, wallet: string, name = 'the pot'): void {
  for (const { program, data, accounts } of instructions) {
    const given = GIVES_AWAY[data[0] ?? -1];
    if (
      !isToken(program) ||
      given === undefined ||
      !accounts.some(({ address, isSigner }) => isSigner && address === wallet)
    )
      continue;
    const expected = { value: `${name} alone moves its tokens`, from: 'docs/verify.md' };
    throw new Difference(`${name} gives an account away`, expected, { value: given, from: signature });
  }
}

/** Programs that use a signature for token instructions which their own instruction implies, or for none. */
export const PLAIN_PROGRAMS: readonly string[] = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
];

const TRUSTED: readonly string[] = [...PLAIN_PROGRAMS, RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM];

/** Several token instructions in one (p-token). */
const BATCH = 255;

/**
 * A program that gets a wallet's signature can give its accounts away, and the signed bytes do not show that. The tokens
 * then leave in a transaction that does not name the wallet.
 *
 * @param trusted default: the programs of a round
 * @throws NotProvable where another program got it, or a batch of token instructions
 */
export function mustSignForTrusted(transactions: readonly Landed[], wallet: string, trusted = TRUSTED): void {
  for (const { instructions, signature } of transactions) {
    const other = instructions.find(
      ({ program, accounts, data }) =>
        (!trusted.includes(program) || (isToken(program) && data[0] === BATCH)) &&
        accounts.some(({ address, isSigner }) => isSigner && address === wallet),
    );
    if (!other) continue;
    const what = isToken(other.program) ? 'a batch of token instructions' : `the program ${other.program}`;
    throw new NotProvable(`${signature} has ${wallet} sign for ${what}, which could have given its accounts away`);
  }
}

function isToken(program: string): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

/** Returns what leaves the pot; 0 or below for a gain. */
export function lossOf(landed: Landed, pot: string, mint: string): bigint {
  return -gainOf(landed, pot, mint);
}
