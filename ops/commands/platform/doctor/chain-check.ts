import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { AddressLookupTableProgram, type Connection, PublicKey } from '@solana/web3.js';
import { createExchange, lookupTablesOf } from '../../../../chain/exchange/create-exchange.ts';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from '../../../../chain/exchange/raydium/programs.ts';
import { checkExchange } from '../../../../chain/launch/check-exchange.ts';
import { METADATA_PROGRAM_ID } from '../../../../chain/tokens/metaplex.ts';
import { MEMO_PROGRAM_ID } from '../../../../chain/transactions/memo.ts';
import type { ExchangeConfig } from '../../../../config/shared.ts';
import type { Db } from '../../../../db/connect.ts';
import * as pairs from '../../../../db/pairs.ts';
import { opsCommand } from '../status/line.ts';
import { NO_TABLE } from './configuration.ts';
import { type Finding, note, ok, problem } from './finding.ts';

interface Program {
  readonly name: string;
  readonly address: PublicKey;
}

/** What every launch names, on every exchange. */
const COMMON: readonly Program[] = [
  { name: 'token program', address: TOKEN_PROGRAM_ID },
  { name: 'Token-2022', address: TOKEN_2022_PROGRAM_ID },
  { name: 'associated token program', address: ASSOCIATED_TOKEN_PROGRAM_ID },
  { name: 'memo program', address: MEMO_PROGRAM_ID },
];

const OF_RAYDIUM: readonly Program[] = [
  { name: 'lookup table program', address: AddressLookupTableProgram.programId },
  { name: 'Raydium CLMM', address: CLMM_PROGRAM_ID },
  { name: 'Raydium lock program', address: LOCK_PROGRAM_ID },
];

/** Whether every program that launches call is on the chain and can be executed. */
export async function programFindings(connection: Connection, kind: ExchangeConfig['kind']): Promise<Finding[]> {
  const needed = [...COMMON, ...(kind === 'raydium' ? OF_RAYDIUM : [])];
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

/** What launches stand on. */
export interface GroundParts {
  readonly db: Db;
  readonly connection: Connection;
  readonly exchange: ExchangeConfig;
  readonly genesisHash: string;
  /** Addresses of wallets, where they are known. */
  readonly treasury: string | undefined;
  readonly platform: string | undefined;
}

/** The fee tiers, and the lookup table with everything that it must hold. */
export async function groundFindings({ db, connection, ...parts }: GroundParts): Promise<Finding[]> {
  if (parts.exchange.kind === 'raydium' && parts.exchange.lookupTable === NO_TABLE) {
    const remedy = `${opsCommand('lookup-table create')}, and set LOOKUP_TABLE to the table that it prints`;
    return [problem('exchange', 'LOOKUP_TABLE is not set: launches need a lookup table', remedy)];
  }
  const { facts, warnings } = await checkExchange({
    exchange: createExchange(parts.exchange, connection, parts.genesisHash),
    lookupTables: lookupTablesOf(parts.exchange, connection),
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

/** More than this between the clocks of this machine and the chain is a problem, seconds: blocks are dated by stake, roughly. */
const MOST_SKEW_SECONDS = 30;

/** How far the newest block's time is from this machine's. */
export async function clockFindings(connection: Connection): Promise<Finding[]> {
  const time = await connection.getBlockTime(await connection.getSlot('confirmed'));
  if (time === null) return [note('clock', 'the newest block has no time')];
  const skew = Math.round(Math.abs(Date.now() / 1000 - time));
  if (skew <= MOST_SKEW_SECONDS) return [ok('clock', `the newest block is dated within ${skew} s of this machine`)];
  const what = `the newest block is dated ${skew} s from this machine's time`;
  return [problem('clock', what, 'set this machine by an NTP server; or the chain stands still')];
}
