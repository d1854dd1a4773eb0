import type { Address } from '../ledger/account.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { config, ContextConfig } from './params.ts';

const LARGEST_ACCOUNTS = 20;

export const supplyMethods: RpcMethods = {
  getSupply: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 0, ContextConfig));
    let total = 0n;
    for (const [, account] of view.ledger.accounts.all(view.slotAt(commitment))) total += account.lamports;
    const value = { total, circulating: total, nonCirculating: 0, nonCirculatingAccounts: [] };
    return withContext(view, commitment, value);
  },

  getLargestAccounts: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 0, ContextConfig));
    const list: { address: Address; lamports: bigint }[] = [];
    for (const [address, { lamports }] of view.ledger.accounts.all(view.slotAt(commitment)))
      list.push({ address, lamports });
    list.sort((a, b) => (a.lamports < b.lamports ? 1 : -1));
    return withContext(view, commitment, list.slice(0, LARGEST_ACCOUNTS));
  },
};
