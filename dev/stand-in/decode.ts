import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID, TokenInstruction } from '@solana/spl-token';
import { PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';
import { MEMO_PROGRAM_ID } from '../../chain/transactions/memo.ts';
import type { DecodedSwap } from '../../chain/exchange/exchange.ts';
import type { StandInKeys } from './keys.ts';
import { decodeState, STATE_MEMO_PREFIX } from './state-text.ts';
import type { StandInState } from './state.ts';

interface Step {
  readonly program: PublicKey;
  readonly accounts: readonly PublicKey[];
  readonly data: Buffer;
}

interface StateChange {
  readonly pool: PublicKey;
  readonly stateKey: PublicKey;
}

/** A memo counts only if the transaction sets the pool account to that state, which the previous state must sign. */
export function decodeSwaps(keys: StandInKeys, transaction: VersionedTransactionResponse): DecodedSwap[] {
  if (!transaction.meta || transaction.meta.err) return [];
  const steps = stepsOf(transaction);
  const changes = steps.flatMap(stateChangeOf);
  return steps.flatMap((step) => {
    const text = stateTextOf(step);
    const change = text && changes.find(({ pool, stateKey }) => keys.state(pool, text).publicKey.equals(stateKey));
    return text && change ? swapOf(decodeState(text), change, steps) : [];
  });
}

function stepsOf({ transaction, meta }: VersionedTransactionResponse): Step[] {
  const { message } = transaction;
  const keys = message.getAccountKeys({ accountKeysFromLookups: meta?.loadedAddresses });
  const keyAt = (index: number) => {
    const key = keys.get(index);
    if (!key) throw new RangeError(`a transaction names account ${index} of ${keys.length}`);
    return key;
  };
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: keyAt(programIdIndex),
    accounts: accountKeyIndexes.map(keyAt),
    data: Buffer.from(data),
  }));
}

function stateTextOf({ program, data }: Step): string | null {
  if (!program.equals(MEMO_PROGRAM_ID)) return null;
  const text = data.toString('utf8');
  return text.startsWith(STATE_MEMO_PREFIX) ? text : null;
}

const AUTHORITY_OFFSETS: ReadonlyMap<number | undefined, number> = new Map([
  [TokenInstruction.SetAuthority, 3],
  [TokenInstruction.InitializeMint2, 35],
]);

function stateChangeOf({ program, accounts, data }: Step): StateChange[] {
  const [pool] = accounts;
  const offset = AUTHORITY_OFFSETS.get(data[0]);
  if (!pool || offset === undefined || !program.equals(TOKEN_PROGRAM_ID) || data.length !== offset + 32) return [];
  return [{ pool, stateKey: new PublicKey(data.subarray(offset)) }];
}

function swapOf(state: StandInState, { pool, stateKey }: StateChange, steps: readonly Step[]): DecodedSwap[] {
  const { trade, sqrtPriceX64, tick } = state;
  if (!trade) return [];
  const isBuy = trade.zeroForOne !== state.baseIsToken0;
  return [
    {
      pool,
      side: isBuy ? 'buy' : 'sell',
      wallet: payerOf(steps, pool),
      baseRaw: isBuy ? trade.amountOut : trade.amountIn,
      quoteRaw: isBuy ? trade.amountIn : trade.amountOut,
      sqrtPriceAfterX64: sqrtPriceX64,
      tickAfter: tick,
      mark: stateKey.toBase58(),
    },
  ];
}

function payerOf(steps: readonly Step[], pool: PublicKey): PublicKey {
  const transfers = steps.filter(({ data }) => data[0] === Number(TokenInstruction.TransferChecked));
  const paidOut = transfers.find(({ accounts: [, , , owner] }) => owner?.equals(pool))?.accounts[1];
  for (const { program, accounts } of transfers) {
    const [, mint, destination, owner] = accounts;
    if (!mint || !destination || !owner || !paidOut || mint.equals(paidOut)) continue;
    if (destination.equals(getAssociatedTokenAddressSync(mint, pool, true, program))) return owner;
  }
  throw new Error(`a swap of pool ${pool.toBase58()} has no transfer into its vault`);
}
