import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { readTokenAccount } from '../encoding/parse-token.ts';
import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts';
import { isTokenAccountData } from '../ledger/token-balance.ts';
import type { ChainView } from '../server/view.ts';
import type { RpcMethods } from './context.ts';
import { addressParam, param } from './params.ts';
import { invalidParams } from './rpc-error.ts';

/** Page limit and default. */
const MOST_ON_PAGE = 1_000;

const absent = Type.Null();

const TokenAccountsSchema = Type.Object({
  mint: Type.Optional(Type.Union([Type.String(), absent])),
  owner: Type.Optional(Type.Union([Type.String(), absent])),
  limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: MOST_ON_PAGE }), absent])),
  page: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), absent])),
  cursor: Type.Optional(Type.Union([Type.String(), absent])),
  options: Type.Optional(
    Type.Union([Type.Object({ showZeroBalance: Type.Optional(Type.Union([Type.Boolean(), absent])) }), absent]),
  ),
});

const TokenAccountsParams = Compile(TokenAccountsSchema);

type TokenAccountsRequest = Static<typeof TokenAccountsSchema>;

/** `confirmed`; requests cannot choose. */
const indexedSlot = (view: ChainView): number => view.slotAt('confirmed');

/** `amount` is an exact number. */
interface IndexedAccount {
  readonly address: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegated_amount: bigint;
  readonly frozen: boolean;
  readonly burnt: null;
}

function matching(view: ChainView, { mint, owner, options }: TokenAccountsRequest): IndexedAccount[] {
  const found: IndexedAccount[] = [];
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, { data }] of view.ledger.accounts.ownedBy(program, indexedSlot(view))) {
      if (!isTokenAccountData(data)) continue;
      const account = readTokenAccount(data);
      if ((mint && account.mint !== mint) || (owner && account.owner !== owner)) continue;
      if (account.amount === 0n && options?.showZeroBalance !== true) continue;
      const { amount, delegatedAmount, state } = account;
      const rest = { amount, delegated_amount: delegatedAmount, frozen: state === 'frozen', burnt: null };
      found.push({ address, mint: account.mint, owner: account.owner, ...rest });
    }
  }
  return found.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/**
 * Helius' form: no commitment in requests; responses tell the index's slot. Every non-empty page has a `cursor`, unless
 * pages are numbered.
 */
export const digitalAssetMethods: RpcMethods = {
  getTokenAccounts: (params, { view }) => {
    const request = param(params, 0, TokenAccountsParams);
    const { mint, owner, page, cursor } = request;
    if (!mint && !owner) throw invalidParams('Owner address or mint address must be provided');
    for (const address of [mint, owner, cursor]) if (address) addressParam([address], 0);
    if (page && cursor) throw invalidParams('Pagination Error. Only one pagination parameter supported per query.');
    const limit = request.limit ?? MOST_ON_PAGE;
    const all = matching(view, request);
    const rest = cursor ? all.filter(({ address }) => address > cursor) : all.slice(((page ?? 1) - 1) * limit);
    const accounts = rest.slice(0, limit);
    const last = accounts.at(-1);
    const place = page ? { page } : last && { cursor: last.address };
    return { last_indexed_slot: indexedSlot(view), total: accounts.length, limit, ...place, token_accounts: accounts };
  },
};
