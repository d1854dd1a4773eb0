import type { RpcEndpoint } from './json-rpc.ts';
import { NoTestimonyError } from './reach.ts';
import { AccountsShape } from './shapes.ts';

/**
 * State of an account after a transaction took effect: data, which only the owner or a program can write, or lamports.
 */
export interface Mark {
  readonly account: string;
  /** Without it the mark is data; anyone can send lamports. */
  readonly lamports?: bigint;
}

/**
 * True if one endpoint's finalized state at `slot` or later shows a mark.
 *
 * @throws NoTestimonyError when its response is older; RpcAnswerError, RpcUnavailableError
 */
export async function showsAny(endpoint: RpcEndpoint, marks: readonly Mark[], slot: number): Promise<boolean> {
  const addresses = marks.map(({ account }) => account);
  const options = { commitment: 'finalized', minContextSlot: slot, encoding: 'base64' };
  const { context, value } = await endpoint.call('getMultipleAccounts', [addresses, options], AccountsShape);
  if (context.slot < slot || value.length !== marks.length) {
    throw new NoTestimonyError(
      `${endpoint.name} answered ${value.length} accounts of slot ${context.slot}, not ${slot}`,
    );
  }
  return marks.some(({ lamports }, index) => {
    const account = value[index] ?? null;
    if (account === null) return false;
    return lamports === undefined ? account.data[0] !== '' : BigInt(account.lamports) >= lamports;
  });
}
