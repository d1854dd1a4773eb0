import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccount } from '../encoding/account-encoding.ts';
import { toBase58 } from '../encoding/base58.ts';
import { readMint, readTokenAccount } from '../encoding/parse-token.ts';
import { uiTokenAmount } from '../encoding/token-amount.ts';
import { type Account, type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts';
import { isTokenAccountData, isTokenProgram, mintDecimals } from '../ledger/token-balance.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcMethod, type RpcMethods, withContext } from './context.ts';
import { AccountConfig, addressParam, type Commitment, config, ContextConfig, param } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const LARGEST_ACCOUNTS = 20;

const Filter = Compile(Type.Union([Type.Object({ mint: Type.String() }), Type.Object({ programId: Type.String() })]));

function tokenAccountAt(view: ChainView, address: Address, commitment: Commitment) {
  const account = view.account(address, commitment);
  if (!account || !isTokenProgram(account.owner) || !isTokenAccountData(account.data)) {
    throw invalidParams('Invalid param: not a Token account');
  }
  return readTokenAccount(account.data);
}

function decimalsOf(view: ChainView, mint: Address, commitment: Commitment): number {
  const decimals = mintDecimals(view.account(mint, commitment));
  if (decimals === null) throw invalidParams('Invalid param: not a Token mint');
  return decimals;
}

function* tokenAccounts(view: ChainView, program: Address, commitment: Commitment): Generator<[Address, Account]> {
  for (const [address, account] of view.ledger.accounts.ownedBy(program, view.slotAt(commitment))) {
    if (isTokenAccountData(account.data)) yield [address, account];
  }
}

function programsFor(
  view: ChainView,
  params: readonly unknown[],
  commitment: Commitment,
): { programs: Address[]; mint: Address | null } {
  const filter = param(params, 1, Filter);
  if ('programId' in filter) {
    const program = addressParam([filter.programId], 0);
    if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
    return { programs: [program], mint: null };
  }
  const mint = addressParam([filter.mint], 0);
  const owner = view.account(mint, commitment)?.owner;
  if (owner === undefined) throw invalidParams('Invalid param: could not find mint');
  return { programs: [owner], mint };
}

function listTokenAccounts(matches: (account: Account, wallet: Address) => boolean): RpcMethod {
  return (params, { view }) => {
    const wallet = addressParam(params, 0);
    const format = config(params, 2, AccountConfig);
    const commitment = checkedCommitment(view, format);
    const { programs, mint } = programsFor(view, params, commitment);
    const mintAccount = (address: Address): Account | null => view.account(address, commitment);
    const value: unknown[] = [];
    for (const program of programs) {
      for (const [pubkey, account] of tokenAccounts(view, program, commitment)) {
        if (!matches(account, wallet) || (mint !== null && toBase58(account.data.subarray(0, 32)) !== mint)) continue;
        value.push({ pubkey, account: encodeAccount(account, format, mintAccount) });
      }
    }
    return withContext(view, commitment, value);
  };
}

export const tokenMethods: RpcMethods = {
  getTokenAccountBalance: (params, { view }) => {
    const address = addressParam(params, 0);
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    const { amount, mint } = tokenAccountAt(view, address, commitment);
    return withContext(view, commitment, uiTokenAmount(amount, decimalsOf(view, mint, commitment)));
  },

  getTokenSupply: (params, { view }) => {
    const mint = addressParam(params, 0);
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    const account = view.account(mint, commitment);
    if (!account || mintDecimals(account) === null) throw invalidParams('Invalid param: not a Token mint');
    const { supply, decimals } = readMint(account.data);
    return withContext(view, commitment, uiTokenAmount(supply, decimals));
  },

  getTokenAccountsByOwner: listTokenAccounts((account, wallet) => toBase58(account.data.subarray(32, 64)) === wallet),
  getTokenAccountsByDelegate: listTokenAccounts(
    (account, wallet) => readTokenAccount(account.data).delegate === wallet,
  ),

  getTokenLargestAccounts: (params, { view }) => {
    const mint = addressParam(params, 0);
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    const decimals = decimalsOf(view, mint, commitment);
    const holders: { address: Address; amount: bigint }[] = [];
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const [address, { data }] of tokenAccounts(view, program, commitment)) {
        if (toBase58(data.subarray(0, 32)) === mint) holders.push({ address, amount: readTokenAccount(data).amount });
      }
    }
    holders.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
    const value = holders
      .slice(0, LARGEST_ACCOUNTS)
      .map(({ address, amount }) => ({ address, ...uiTokenAmount(amount, decimals) }));
    return withContext(view, commitment, value);
  },
};
