import { memoText } from '../../solana/memo.ts';
import { isTokenProgram, MEMO_PROGRAM, RAYDIUM_LOCK_PROGRAM } from '../../solana/programs.ts';
import { burnsIn, sumOf } from '../burns.ts';
import type { Landed } from '../landed.ts';
import { mustBeSigned, type TreasuryStep } from './treasury-history.ts';

/** Where tokens came from, and what they left for. */
export type MovementKind =
  | 'harvests'
  | 'harvests outside of the revenue'
  | 'restocks'
  | 'rents of holders'
  | 'returned by the platform'
  | 'foreign income'
  | 'purchases'
  | 'dev buys'
  | 'burned'
  | 'taken by the operator';

/** Public documents that explain movements. */
export interface Explained {
  readonly harvests: ReadonlySet<string>;
  readonly purchases: ReadonlySet<string>;
  /** Wallets of these roles. */
  readonly pots: ReadonlySet<string>;
  readonly restocks: ReadonlySet<string>;
  readonly platforms: ReadonlySet<string>;
}

/** @throws Difference for tokens that left without the treasury's signature */
export function kindOf(step: TreasuryStep, explained: Explained): MovementKind {
  if (step.after > step.before) return kindOfIncome(step, explained);
  mustBeSigned(step);
  if (explained.purchases.has(step.signature)) return 'purchases';
  if (isDevBuy(step)) return 'dev buys';
  return isBurn(step) ? 'burned' : 'taken by the operator';
}

function kindOfIncome({ signature, landed, owner }: TreasuryStep, explained: Explained): MovementKind {
  const isBy = (wallets: ReadonlySet<string>) => landed.signers.some((signer) => wallets.has(signer));
  if (explained.harvests.has(signature)) return 'harvests';
  if (isHarvest(landed, explained.platforms)) return 'harvests outside of the revenue';
  if (isBy(explained.restocks)) return 'restocks';
  if (isBy(explained.pots)) return 'rents of holders';
  return landed.signers.includes(owner) || isBy(explained.platforms) ? 'returned by the platform' : 'foreign income';
}

/** True if the holder of the Fee Key signs: the second account of the lock program's instruction. */
function isHarvest({ instructions }: Landed, platforms: ReadonlySet<string>): boolean {
  return instructions.some(({ program, accounts }) => {
    const holder = accounts[1];
    return program === RAYDIUM_LOCK_PROGRAM && holder?.isSigner === true && platforms.has(holder.address);
  });
}

const MINT_MEMO = /^launch\/[0-9a-f-]{36}\/2$/;

/** An instruction of the token programs (spl-token, instruction.rs). */
const INITIALIZE_MINT_2 = 20;

function mintsMade({ instructions }: Landed): number {
  return instructions.filter(({ program, data }) => isTokenProgram(program) && data[0] === INITIALIZE_MINT_2).length;
}

/**
 * The second transaction of a launch makes its mint, and pays the dev buy's quote tokens to the launch wallet alone.
 */
function isDevBuy(step: TreasuryStep): boolean {
  const { instructions, tokens, signers } = step.landed;
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  const mint = tokens.find(({ account }) => account === step.account)?.mint;
  const gainers = tokens.filter((one) => one.mint === mint && (one.after ?? 0n) > (one.before ?? 0n));
  const isPaid = gainers.length > 0 && gainers.every(({ owner }) => owner === signers[0]);
  return isPaid && memos.some((text) => MINT_MEMO.test(text)) && mintsMade(step.landed) === 1;
}

/** True if burns explain all that left the account. */
function isBurn(step: TreasuryStep): boolean {
  const own = burnsIn(step.landed).filter(({ account }) => account === step.account);
  return sumOf(own) === step.before - step.after;
}
