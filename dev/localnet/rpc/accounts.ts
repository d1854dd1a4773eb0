import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccount } from '../encoding/account-encoding.ts';
import type { Address } from '../ledger/account.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { AccountConfig, addressParam, type Commitment, config, ContextConfig, param } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_MULTIPLE_ACCOUNTS = 100;
const Addresses = Compile(Type.Array(Type.String()));

function encoded(
  view: ChainView,
  commitment: Commitment,
  address: Address,
  format: Parameters<typeof encodeAccount>[1],
) {
  const account = view.account(address, commitment);
  return account && encodeAccount(account, format, (mint) => view.account(mint, commitment));
}

export const accountMethods: RpcMethods = {
  getBalance: (params, { view }) => {
    const address = addressParam(params, 0);
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    return withContext(view, commitment, view.account(address, commitment)?.lamports ?? 0n);
  },

  getAccountInfo: (params, { view }) => {
    const address = addressParam(params, 0);
    const options = config(params, 1, AccountConfig);
    const commitment = checkedCommitment(view, options);
    return withContext(view, commitment, encoded(view, commitment, address, options));
  },

  getMultipleAccounts: (params, { view }) => {
    const list = param(params, 0, Addresses);
    if (list.length > MAX_MULTIPLE_ACCOUNTS)
      throw invalidParams(`Too many inputs provided; max ${MAX_MULTIPLE_ACCOUNTS}`);
    const addresses = list.map((_address, index) => addressParam(list, index));
    const options = config(params, 1, AccountConfig);
    // Agave's default here.
    const format = { ...options, encoding: options.encoding ?? ('base64' as const) };
    const commitment = checkedCommitment(view, options);
    return withContext(
      view,
      commitment,
      addresses.map((address) => encoded(view, commitment, address, format)),
    );
  },
};
