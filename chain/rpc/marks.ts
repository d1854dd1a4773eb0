import type { RpcEndpoint } from './json-rpc.ts';
import { NoTestimonyError } from './reach.ts';
import { AccountsShape } from './shapes.ts';

/**
 * What an account shows once a transaction has taken effect: data, which only an account's owner or a program can put
 * there, or at least so many lamports.
 */
export interface Mark {
  /** base58 */
  readonly account: string;
  /** Without it the mark is that the account has data; lamports alone can come from anybody. */
  readonly lamports?: bigint;
}

/**
 * True when one endpoint's finalized state, of slot `slot` or later, shows at least one of the marks.
 * @throws NoTestimonyError when its answer is older; RpcAnswerError, RpcUnavailableError.
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
