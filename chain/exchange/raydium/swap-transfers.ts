import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, TokenInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import { sortsBefore } from '../opening.ts';
import { integerSquareRoot, tickAtSqrtPrice } from '../pool-math.ts';
import { DISCRIMINATOR_BYTES, instructionDiscriminator } from './discriminators.ts';
import type { LandedStep } from './landed-steps.ts';
import { CLMM_PROGRAM_ID } from './programs.ts';
import type { SwapEvent } from './swap-events.ts';

const SWAP = instructionDiscriminator('swap_v2');

/** Which accounts a swap instruction names at which place. */
const PLACES = { sender: 0, pool: 2, inputVault: 5, outputVault: 6 } as const;

/** A checked transfer of a token program; raw units. */
interface Transfer {
  readonly source: PublicKey;
  readonly mint: PublicKey;
  readonly destination: PublicKey;
  readonly amount: bigint;
}

/** What a token account gained in a transaction, raw units; undefined where that is not known. */
export type BalanceChange = (account: PublicKey) => bigint | undefined;

/**
 * `swap_v2` swaps by the transfers into and out of the vaults, for transactions whose log was cut off before the program's own
 * events: a launch's pool transaction is one. Amounts are exact; what a transfer tax withheld from the input is taken off by the
 * vault's own balance where the transaction has one swap of the pool. Transfers do not tell the price after the swap: the
 * one given is the fill's average, which lies between the price before and after (but for the pool fee).
 */
export function swapsByTransfers(steps: readonly LandedStep[], changeOf: BalanceChange): SwapEvent[] {
  const swaps = steps.flatMap((step, index) => (isSwap(step) ? [{ step, index }] : []));
  return swaps.flatMap(({ step, index }, place) => {
    const after = steps.slice(index + 1, swaps[place + 1]?.index);
    return eventOf(step, after.flatMap(transferOf), changeOf);
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

function eventOf(step: LandedStep, transfers: readonly Transfer[], changeOf: BalanceChange): SwapEvent[] {
  const [sender, pool] = [step.accounts[PLACES.sender], step.accounts[PLACES.pool]];
  const [inputVault, outputVault] = [step.accounts[PLACES.inputVault], step.accounts[PLACES.outputVault]];
  const into = transfers.find(({ destination }) => inputVault?.equals(destination));
  const out = transfers.find(({ source }) => outputVault?.equals(source));
  if (!sender || !pool || !into || !out) return [];
  const zeroForOne = sortsBefore(into.mint, out.mint);
  const amountIn = arrivedOf(into, changeOf);
  const [amount0, amount1] = zeroForOne ? [amountIn, out.amount] : [out.amount, amountIn];
  const sqrtPriceX64 = integerSquareRoot((amount1 << 128n) / amount0);
  const tick = tickAtSqrtPrice(sqrtPriceX64);
  return [{ pool, sender, zeroForOne, amount0, amount1, sqrtPriceX64, tick, isLogged: false }];
}

/** What of a transfer reached the vault: its tax is withheld there and not part of the balance. */
function arrivedOf({ destination, amount }: Transfer, changeOf: BalanceChange): bigint {
  const change = changeOf(destination);
  return change !== undefined && change > 0n && change < amount ? change : amount;
}
