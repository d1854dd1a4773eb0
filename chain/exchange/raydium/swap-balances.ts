import { PublicKey, type TokenBalance, type VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';
import { sortsBefore } from '../opening.ts';
import { integerSquareRoot, tickAtSqrtPrice } from '../pool-math.ts';
import { DISCRIMINATOR_BYTES, instructionDiscriminator } from './discriminators.ts';
import { CLMM_PROGRAM_ID } from './programs.ts';
import type { SwapEvent } from './swap-events.ts';

const SWAPS = ['swap', 'swap_v2'].map(instructionDiscriminator);

/** Which accounts a swap instruction names at which place. */
const PLACES = { sender: 0, pool: 2, inputVault: 5, outputVault: 6 } as const;

/** A swap instruction's accounts, as indices into the transaction's. */
type Indices = Readonly<Record<keyof typeof PLACES, number>>;

/**
 * Swaps by what they did to the vaults' balances, one for each pool, for transactions whose log was cut off before the
 * program's own events. Exact where the pool had one swap and nothing else; the price given is then the average of the
 * fill, which lies between the price before and after it (the pool fee apart), because balances do not tell the latter.
 */
export function swapsByBalances(transaction: VersionedTransactionResponse, known: readonly SwapEvent[]): SwapEvent[] {
  const keys = transaction.transaction.message.getAccountKeys({
    accountKeysFromLookups: transaction.meta?.loadedAddresses,
  });
  const keyAt = (index: number): PublicKey => {
    const key = keys.get(index);
    if (!key) throw new RangeError(`a transaction names account ${index} of ${keys.length}`);
    return key;
  };
  const found = new Map<string, SwapEvent>();
  for (const indices of swapInstructionsOf(transaction, keyAt)) {
    const pool = keyAt(indices.pool);
    const event = known.some((each) => each.pool.equals(pool)) ? null : eventOf(transaction, indices, keyAt);
    if (event && !found.has(pool.toBase58())) found.set(pool.toBase58(), event);
  }
  return [...found.values()];
}

function swapInstructionsOf(
  { transaction, meta }: VersionedTransactionResponse,
  keyAt: (index: number) => PublicKey,
): Indices[] {
  const outer = transaction.message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    ...{ programIdIndex, accounts: accountKeyIndexes, data: Buffer.from(data) },
  }));
  const inner = (meta?.innerInstructions ?? [])
    .flatMap(({ instructions }) => instructions)
    .map(({ programIdIndex, accounts, data }) => ({ programIdIndex, accounts, data: Buffer.from(bs58.decode(data)) }));
  return [...outer, ...inner]
    .filter(({ programIdIndex, data }) => keyAt(programIdIndex).equals(CLMM_PROGRAM_ID) && isSwap(data))
    .map(({ accounts }) => indicesOf(accounts));
}

function isSwap(data: Buffer): boolean {
  return SWAPS.some((discriminator) => discriminator.equals(data.subarray(0, DISCRIMINATOR_BYTES)));
}

function indicesOf(accounts: readonly number[]): Indices {
  const at = (place: number): number => {
    const index = accounts[place];
    if (index === undefined) throw new RangeError(`a swap names ${accounts.length} accounts, place ${place} is needed`);
    return index;
  };
  const { sender, pool, inputVault, outputVault } = PLACES;
  return { sender: at(sender), pool: at(pool), inputVault: at(inputVault), outputVault: at(outputVault) };
}

function eventOf(
  transaction: VersionedTransactionResponse,
  indices: Indices,
  keyAt: (index: number) => PublicKey,
): SwapEvent | null {
  const input = changeOf(transaction, indices.inputVault);
  const output = changeOf(transaction, indices.outputVault);
  if (!input || !output || input.amount <= 0n || output.amount >= 0n) return null;
  const zeroForOne = sortsBefore(input.mint, output.mint);
  const [amount0, amount1] = zeroForOne ? [input.amount, -output.amount] : [-output.amount, input.amount];
  const sqrtPriceX64 = integerSquareRoot((amount1 << 128n) / amount0);
  const tick = tickAtSqrtPrice(sqrtPriceX64);
  return { pool: keyAt(indices.pool), sender: keyAt(indices.sender), zeroForOne, amount0, amount1, sqrtPriceX64, tick };
}

/** What a transaction changed of a token account, raw units. */
function changeOf({ meta }: VersionedTransactionResponse, accountIndex: number) {
  const balanceIn = (balances: readonly TokenBalance[] | null | undefined) =>
    balances?.find((balance) => balance.accountIndex === accountIndex);
  const [before, after] = [balanceIn(meta?.preTokenBalances), balanceIn(meta?.postTokenBalances)];
  if (!after) return null;
  const amount = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? 0);
  return { mint: new PublicKey(after.mint), amount };
}
