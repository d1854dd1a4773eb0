import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../../domain/error-text.ts';
import { encodeAccount } from '../encoding/account-encoding.ts';
import { fromBase58 } from '../encoding/base58.ts';
import type { Account, Address } from '../ledger/account.ts';
import { isTokenAccountData } from '../ledger/token-balance.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { AccountFields, addressParam, config } from './params.ts';
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

/** A filter on account data: its length, bytes at an offset, or that it is an initialised token account. */
export const FilterSchema = Type.Union([
  Type.Object({ dataSize: Type.Integer({ minimum: 0 }) }),
  Type.Object({ memcmp: Memcmp }),
  Type.Literal('tokenAccountState'),
]);

/** Fields of the configuration object of methods that watch or list a program's accounts. */
export const ProgramAccountFields = {
  ...AccountFields,
  filters: Type.Optional(Type.Union([Type.Array(FilterSchema), Type.Null()])),
  withContext: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  sortResults: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
};

const ProgramAccountsConfig = Compile(Type.Object(ProgramAccountFields));

type MemcmpFilter = Type.Static<typeof Memcmp>;
type Filter = Type.Static<typeof FilterSchema>;

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
 * One predicate of a list of filters, all of which must hold.
 * @throws RpcError -32602 when there are too many or one is malformed
 */
export function compileFilters(filters: readonly Filter[]): (data: Uint8Array) => boolean {
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  const compiled = filters.map(compileFilter);
  return (data) => compiled.every((matches) => matches(data));
}

/** Methods that list a program's accounts. */
export const programAccountMethods: RpcMethods = {
  getProgramAccounts: (params, { view }) => {
    const program = addressParam(params, 0);
    const request = config(params, 1, ProgramAccountsConfig);
    const commitment = checkedCommitment(view, request);
    const matches = compileFilters(request.filters ?? []);
    const findMint = (mint: Address): Account | null => view.account(mint, commitment);
    const list: { pubkey: Address; account: unknown }[] = [];
    for (const [pubkey, account] of view.ledger.accounts.ownedBy(program, view.slotAt(commitment))) {
      if (matches(account.data)) list.push({ pubkey, account: encodeAccount(account, request, findMint) });
    }
    if (request.sortResults !== false) list.sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
    return request.withContext === true ? withContext(view, commitment, list) : list;
  },
};
