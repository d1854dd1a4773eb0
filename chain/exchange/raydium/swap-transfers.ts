import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, TokenInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import { sortsBefore } from '../opening.ts';
import { integerSquareRoot, tickAtSqrtPrice } from '../pool-math.ts';
import { DISCRIMINATOR_BYTES, instructionDiscriminator } from './discriminators.ts';
import type { LandedStep } from './landed-steps.ts';
import { CLMM_PROGRAM_ID } from './programs.ts';
import type { SwapEvent } from './swap-events.ts';

const SWAP = instructionDiscriminator('swap_v2');

const PLACES = { sender: 0, pool: 2, inputVault: 5, outputVault: 6 } as const;

/** `TransferChecked`, raw. */
interface Transfer {
  readonly source: PublicKey;
  readonly mint: PublicKey;
  readonly destination: PublicKey;
  readonly amount: bigint;
}

/** Net gain, raw; undefined if unknown. */
export type BalanceChange = (account: PublicKey) => bigint | undefined;

/**
 * Reconstructs `swap_v2` swaps from vault transfers when the log was truncated, as in a launch's pool transaction.
 * Amounts are exact, except that the tax of several inputs of one vault is divided among them by their amounts. The
 * price is the fill's average, because transfers do not show the price after the swap.
 */
export function swapsByTransfers(steps: readonly LandedStep[], changeOf: BalanceChange): SwapEvent[] {
  const all = steps.flatMap(transferOf);
  const swaps = steps.flatMap((step, index) => (isSwap(step) ? [{ step, index }] : []));
  return swaps.flatMap(({ step, index }, place) => {
    const after = steps.slice(index + 1, swaps[place + 1]?.index);
    return eventOf(step, after.flatMap(transferOf), (into) => arrivedOf(into, all, changeOf));
  });
}

function isSwap({ program, data }: LandedStep): boolean {
  const start = data.subarray(0, DISCRIMINATOR_BYTES);
  return program.equals(CLMM_PROGRAM_ID) && SWAP.equals(start);
}

function transferOf({ program, accounts, data }: LandedStep): Transfer[] {
  const isToken = program.equals(TOKEN_PROGRAM_ID) || program.equals(TOKEN_2022_PROGRAM_ID);
  const [source, mint, destination] = accounts;
  if (!isToken || data[0] !== Number(TokenInstruction.TransferChecked)) return [];
  return source && mint && destination ? [{ source, mint, destination, amount: data.readBigUInt64LE(1) }] : [];
}

function eventOf(step: LandedStep, transfers: readonly Transfer[], arrived: (into: Transfer) => bigint): SwapEvent[] {
  const [sender, pool] = [step.accounts[PLACES.sender], step.accounts[PLACES.pool]];
  const [inputVault, outputVault] = [step.accounts[PLACES.inputVault], step.accounts[PLACES.outputVault]];
  const into = transfers.find(({ destination }) => inputVault?.equals(destination));
  const out = transfers.find(({ source }) => outputVault?.equals(source));
  if (!sender || !pool || !into || !out) return [];
  const zeroForOne = sortsBefore(into.mint, out.mint);
  const amountIn = arrived(into);
  const [amount0, amount1] = zeroForOne ? [amountIn, out.amount] : [out.amount, amountIn];
  const sqrtPriceX64 = integerSquareRoot((amount1 << 128n) / amount0);
  const tick = tickAtSqrtPrice(sqrtPriceX64);
  return [{ pool, sender, zeroForOne, amount0, amount1, sqrtPriceX64, tick, isLogged: false }];
}

/**
 * The tax is withheld in the vault and is not part of its balance: what came in is what the balance gained and what
 * went out.
 */
function arrivedOf(
  { destination: vault, amount }: Transfer,
  all: readonly Transfer[],
  changeOf: BalanceChange,
): bigint {
  const sumOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, one) => sum + one.amount, 0n);
  const change = changeOf(vault);
  const sent = sumOf(all.filter(({ destination }) => destination.equals(vault)));
  const arrived = (change ?? sent) + sumOf(all.filter(({ source }) => source.equals(vault)));
  return change !== undefined && arrived > 0n && arrived < sent ? (amount * arrived) / sent : amount;
}
