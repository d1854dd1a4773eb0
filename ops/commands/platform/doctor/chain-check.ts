import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, PublicKey } from '@solana/web3.js';
import { newestBlockTime } from '../../../../chain/rpc/newest-block-time.ts';
import type { Rpc } from '../../../../chain/rpc/rpc.ts';
import type { ExchangeAdapter, ExchangeProgram } from '../../../../chain/exchange/exchange-adapter.ts';
import { checkExchange } from '../../../../chain/launch/check-exchange.ts';
import { METADATA_PROGRAM_ID } from '../../../../chain/tokens/metaplex.ts';
import { MEMO_PROGRAM_ID } from '../../../../chain/transactions/memo.ts';
import type { Db } from '../../../../db/connect.ts';
import * as pairs from '../../../../db/pairs.ts';
import { opsCommand } from '../status/line.ts';
import { NO_TABLE } from './configuration.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const COMMON: readonly ExchangeProgram[] = [
  { name: 'token program', address: TOKEN_PROGRAM_ID },
  { name: 'Token-2022', address: TOKEN_2022_PROGRAM_ID },
  { name: 'associated token program', address: ASSOCIATED_TOKEN_PROGRAM_ID },
  { name: 'memo program', address: MEMO_PROGRAM_ID },
];

export async function programFindings(
  connection: Connection,
  ofExchange: readonly ExchangeProgram[],
): Promise<Finding[]> {
  const needed = [...COMMON, ...ofExchange];
  const wanted = [...needed, { name: 'Metaplex', address: METADATA_PROGRAM_ID }];
  const accounts = await connection.getMultipleAccountsInfo(wanted.map(({ address }) => address));
  const isThere = (index: number) => accounts[index]?.executable === true;
  const missing = needed.filter((_, index) => !isThere(index));
  const remedy = 'SOLANA_RPC_URL leads to another chain than this exchange is on';
  return [
    ...missing.map(({ name, address }) => problem('programs', `${name} (${address.toBase58()}) cannot be run`, remedy)),
    ...(missing.length === 0 ? [ok('programs', `all ${needed.length} can be run`)] : []),
    ...(isThere(needed.length) ? [] : [note('programs', 'without Metaplex no launch is of a standard mint')]),
  ];
}

export interface ExchangeCheckParts {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly exchange: ExchangeAdapter;
  readonly lookupTable: string;
  readonly genesisHash: string;
  readonly treasury: string | undefined;
  readonly platform: string | undefined;
}

export async function exchangeFindings({ db, rpc, ...parts }: ExchangeCheckParts): Promise<Finding[]> {
  if (parts.lookupTable === NO_TABLE && parts.exchange.programs.length > 0) {
    const remedy = `${opsCommand('lookup-table create')}, and set LOOKUP_TABLE to the table that it prints`;
    return [problem('exchange', 'LOOKUP_TABLE is not set: launches need a lookup table', remedy)];
  }
  const { facts, warnings } = await checkExchange({
    exchange: parts.exchange.open(rpc.connection, parts.genesisHash),
    lookupTables: parts.exchange.lookupTables(rpc),
    pairs: await pairs.list(db, { launchable: true }),
    treasury: keyOf(parts.treasury),
    owner: keyOf(parts.platform),
  });
  const remedy = `${opsCommand('lookup-table extend')}; a closed fee tier is Raydium's to open`;
  return [
    ...facts.map((fact) => ok('exchange', fact)),
    ...warnings.map((warning) => problem('exchange', warning, remedy)),
  ];
}

const keyOf = (address: string | undefined) => (address === undefined ? undefined : new PublicKey(address));

/** Block times are stake-weighted estimates. */
const MOST_SKEW_SECONDS = 30;

export async function clockFindings(connection: Connection): Promise<Finding[]> {
  const time = await newestBlockTime(connection);
  if (time === null) return [note('clock', 'the newest block has no time')];
  const skew = Math.round(Math.abs(Date.now() / 1000 - time));
  if (skew <= MOST_SKEW_SECONDS) return [ok('clock', `the newest block is dated within ${skew} s of this machine`)];
  const what = `the newest block is dated ${skew} s from this machine's time`;
  return [problem('clock', what, 'set this machine by an NTP server; or the chain stands still')];
}
