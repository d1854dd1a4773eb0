import { status } from '@grpc/grpc-js';
import {
  type AccountsFilter,
  type AccountsFilterCondition,
  COMMITMENTS,
  type SubscribeRequestValue,
  type TransactionsFilter,
} from '../../../chain/stream/yellowstone/messages.ts';
import type { ValueOf } from '../../../chain/stream/yellowstone/protobuf.ts';
import { fromBase58 } from '../encoding/base58.ts';
import { isTokenAccountData } from '../ledger/token-balance.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { Commitment } from '../rpc/params.ts';
import { RefusedError } from './refused-error.ts';
import type { AccountWrite } from './slot-log.ts';

export interface Wanted {
  readonly commitment: Commitment;
  readonly slots: readonly { readonly name: string; readonly onlyCommitment: boolean }[];
  readonly blocksMeta: readonly string[];
  transactions(record: TransactionRecord): string[];
  transactionsStatus(record: TransactionRecord): string[];
  accounts(write: AccountWrite): string[];
}

type Test<Thing> = readonly [name: string, passes: (thing: Thing) => boolean];

const passed = <Thing>(tests: readonly Test<Thing>[], thing: Thing): string[] =>
  tests.filter(([, passes]) => passes(thing)).map(([name]) => name);

/** @throws RefusedError */
export function readRequest(request: SubscribeRequestValue): Wanted {
  const transactions = [...request.transactions].map(([name, filter]) => [name, transactionTest(filter)] as const);
  const statuses = [...request.transactionsStatus].map(([name, filter]) => [name, transactionTest(filter)] as const);
  const accounts = [...request.accounts].map(([name, filter]) => [name, accountTest(filter)] as const);
  return {
    commitment: commitmentOf(request.commitment),
    slots: [...request.slots].map(([name, { filterByCommitment }]) => ({
      name,
      onlyCommitment: filterByCommitment === true,
    })),
    blocksMeta: [...request.blocksMeta.keys()],
    transactions: (record) => passed(transactions, record),
    transactionsStatus: (record) => passed(statuses, record),
    accounts: (write) => passed(accounts, write),
  };
}

function commitmentOf(level: number | null): Commitment {
  const found = (Object.keys(COMMITMENTS) as Commitment[]).find((name) => COMMITMENTS[name] === (level ?? 0));
  if (!found) throw new RefusedError(status.INVALID_ARGUMENT, `commitment ${level} is unknown`);
  return found;
}

function addresses(list: readonly string[]): ReadonlySet<string> {
  for (const address of list) {
    if (!isAddress(address)) throw new RefusedError(status.INVALID_ARGUMENT, `${address} is no address`);
  }
  return new Set(list);
}

function isAddress(text: string): boolean {
  try {
    return fromBase58(text).length === 32;
  } catch {
    return false;
  }
}

/** Tests like the plugin: any of `include`, none of `exclude`, all of `required`. There are no votes here. */
function transactionTest(filter: ValueOf<typeof TransactionsFilter>): (record: TransactionRecord) => boolean {
  const [include, exclude] = [addresses(filter.accountInclude), addresses(filter.accountExclude)];
  const required = [...addresses(filter.accountRequired)];
  return ({ err, keys, signature }) =>
    filter.vote !== true &&
    (filter.failed === null || filter.failed === (err !== null)) &&
    (filter.signature === null || filter.signature === signature) &&
    (include.size === 0 || keys.some((key) => include.has(key))) &&
    !keys.some((key) => exclude.has(key)) &&
    required.every((key) => keys.includes(key));
}

function accountTest(filter: ValueOf<typeof AccountsFilter>): (write: AccountWrite) => boolean {
  const [named, owners] = [addresses(filter.account), addresses(filter.owner)];
  const conditions = filter.filters.map(dataTest);
  return ({ address, account }) =>
    (named.size === 0 || named.has(address)) &&
    (owners.size === 0 || (account !== null && owners.has(account.owner))) &&
    conditions.every((meets) => meets(account?.data ?? new Uint8Array()));
}

function dataTest({ memcmp, datasize }: ValueOf<typeof AccountsFilterCondition>): (data: Uint8Array) => boolean {
  if (datasize !== null) return (data) => data.length === datasize;
  if (memcmp === null) return isTokenAccountData;
  const { offset, bytes, base58, base64 } = memcmp;
  const wanted = bytes ?? (base58 === null ? Buffer.from(base64 ?? '', 'base64') : fromBase58(base58));
  return (data) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}
