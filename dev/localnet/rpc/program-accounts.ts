import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../../domain/error-text.ts';
import { type AccountFormat, encodeAccount } from '../encoding/account-encoding.ts';
import { fromBase58 } from '../encoding/base58.ts';
import type { Account, Address } from '../ledger/account.ts';
import { isTokenAccountData } from '../ledger/token-balance.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type ContextRequest, type RpcMethods, withContext } from './context.ts';
import { AccountFields, addressParam, commitmentOf, config } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;

const Memcmp = Type.Object({
  offset: Type.Integer({ minimum: 0 }),
  bytes: Type.Union([Type.String(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 }))]),
  encoding: Type.Optional(
    Type.Union([Type.Literal('base58'), Type.Literal('base64'), Type.Literal('bytes'), Type.Null()]),
  ),
});

/** Data length, bytes at an offset, or "is an initialised token account". */
export const FilterSchema = Type.Union([
  Type.Object({ dataSize: Type.Integer({ minimum: 0 }) }),
  Type.Object({ memcmp: Memcmp }),
  Type.Literal('tokenAccountState'),
]);

export const ProgramAccountFields = {
  ...AccountFields,
  filters: Type.Optional(Type.Union([Type.Array(FilterSchema), Type.Null()])),
  withContext: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  sortResults: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
};

const ProgramAccountsSchema = Type.Object(ProgramAccountFields);
const ProgramAccountsConfig = Compile(ProgramAccountsSchema);

const [MOST_ON_PAGE, USUAL_ON_PAGE] = [10_000, 1_000];

const PagedConfig = Compile(
  Type.Object({
    ...ProgramAccountFields,
    limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: MOST_ON_PAGE }), Type.Null()])),
    paginationKey: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    changedSinceSlot: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  }),
);

type ProgramAccountsRequest = Static<typeof ProgramAccountsSchema>;
type MemcmpFilter = Static<typeof Memcmp>;
type Filter = Static<typeof FilterSchema>;

function memcmpBytes({ bytes, encoding }: MemcmpFilter): Uint8Array {
  if (typeof bytes !== 'string') return Uint8Array.from(bytes);
  try {
    return encoding === 'base64' ? Buffer.from(bytes, 'base64') : fromBase58(bytes);
  } catch (error) {
    throw invalidParams(`Invalid param: ${errorText(error)}`);
  }
}

function compileFilter(filter: Filter): (data: Uint8Array) => boolean {
  if (filter === 'tokenAccountState') return isTokenAccountData;
  if ('dataSize' in filter) return (data) => data.length === filter.dataSize;
  const { offset } = filter.memcmp;
  const wanted = memcmpBytes(filter.memcmp);
  if (wanted.length > MAX_MEMCMP_BYTES)
    throw invalidParams(`Invalid param: memcmp of ${wanted.length} bytes, at most ${MAX_MEMCMP_BYTES}`);
  return (data) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

/**
 * All must hold.
 *
 * @throws RpcError -32602
 */
export function compileFilters(filters: readonly Filter[]): (data: Uint8Array) => boolean {
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  const compiled = filters.map(compileFilter);
  return (data) => compiled.every((matches) => matches(data));
}

interface Listed {
  readonly pubkey: Address;
  readonly account: Account;
}

/** Lists accounts by address text, unless order does not matter. */
function listed(view: ChainView, program: Address, request: ProgramAccountsRequest): Listed[] {
  const matches = compileFilters(request.filters ?? []);
  const found: Listed[] = [];
  for (const [pubkey, account] of view.ledger.accounts.ownedBy(
    program,
    view.slotAt(commitmentOf(request.commitment)),
  )) {
    if (matches(account.data)) found.push({ pubkey, account });
  }
  return request.sortResults === false ? found : found.sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
}

function encoded(view: ChainView, accounts: readonly Listed[], request: AccountFormat & ContextRequest): object[] {
  const findMint = (mint: Address): Account | null => view.account(mint, commitmentOf(request.commitment));
  return accounts.map(({ pubkey, account }) => ({ pubkey, account: encodeAccount(account, request, findMint) }));
}

export const programAccountMethods: RpcMethods = {
  getProgramAccounts: (params, { view }) => {
    const program = addressParam(params, 0);
    const request = config(params, 1, ProgramAccountsConfig);
    const commitment = checkedCommitment(view, request);
    const list = encoded(view, listed(view, program, request), request);
    return request.withContext === true ? withContext(view, commitment, list) : list;
  },

  /** Pages like Helius and Alchemy. `paginationKey` is null only on an empty page, which alone ends a walk. */
  getProgramAccountsV2: (params, { view }) => {
    const program = addressParam(params, 0);
    const request = config(params, 1, PagedConfig);
    const commitment = checkedCommitment(view, request);
    const { limit, paginationKey, changedSinceSlot } = request;
    const { accounts } = view.ledger;
    const after = paginationKey ?? '';
    if (after !== '') addressParam([after], 0);
    const isWanted = ({ pubkey }: Listed) =>
      pubkey > after && (accounts.lastWrite(pubkey, view.slotAt(commitment)) ?? 0) >= (changedSinceSlot ?? 0);
    const found = listed(view, program, { ...request, sortResults: true }).filter(isWanted);
    const page = found.slice(0, limit ?? USUAL_ON_PAGE);
    const result = { accounts: encoded(view, page, request), paginationKey: page.at(-1)?.pubkey ?? null };
    return request.withContext === true ? withContext(view, commitment, result) : result;
  },
};
