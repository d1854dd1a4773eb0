import { readUint } from './bytes.ts';
import type { Instruction, Message } from './message.ts';
import { COMPUTE_BUDGET_PROGRAM } from './programs.ts';
import { mustHold } from './refusal.ts';

/** Needs no approval; the platform's own limits stay below 0.0001 SOL. */
export const USUAL_NETWORK_FEE_LAMPORTS = 200_000n;

const LAMPORTS_PER_SIGNATURE = 5_000n;

/** First byte and length. */
const SET_LIMIT = { tag: 2, bytes: 5 };
const SET_PRICE = { tag: 3, bytes: 9 };

/**
 * Network fee beside the transfers, lamports: 5,000 a signature, and the priority fee of the requested units. Refuses a
 * message without exactly one limit and price.
 */
export function networkFeeOf(message: Message): bigint {
  const budget = message.instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM);
  const [limit, price] = [onlyOf(budget, SET_LIMIT), onlyOf(budget, SET_PRICE)];
  mustHold(budget.length === 2, 'it asks the compute budget program for something else than a limit and a price');
  const signers = BigInt(message.accounts.filter(({ isSigner }) => isSigner).length);
  const priority = (readUint(limit.data, 1, 4) * readUint(price.data, 1, 8) + 999_999n) / 1_000_000n;
  return signers * LAMPORTS_PER_SIGNATURE + priority;
}

function onlyOf(budget: readonly Instruction[], { tag, bytes }: typeof SET_LIMIT): Instruction {
  const [found, ...more] = budget.filter(({ data }) => data[0] === tag && data.length === bytes);
  mustHold(found !== undefined && more.length === 0, 'it does not name one compute limit and one compute price');
  return found;
}

export function checkNetworkFee(message: Message, mostLamports = USUAL_NETWORK_FEE_LAMPORTS): void {
  const fee = networkFeeOf(message);
  mustHold(
    fee <= mostLamports,
    `the chain would take ${fee} lamports of network fee, at most ${mostLamports} were allowed`,
  );
}
