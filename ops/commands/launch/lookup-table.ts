import { PublicKey } from '@solana/web3.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { lackingIn, type TableEntry } from '../../../chain/launch/table-contents.ts';
import type { LookupTable } from '../../../chain/transactions/lookup-table.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { fillTable, makeTable, readTable, tableAddress, wantedEntries } from './lookup-table-report.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { facts, print } from '../../output.ts';

interface TableOptions extends OutputOptions {
  readonly table?: PublicKey;
}

const HELP = `
Launches on Raydium fit their packets only with this table. \`create\` and \`extend\` sign with the platform wallet
(PLATFORM_SIGNER, PLATFORM_SECRET_KEY), which pays the rent: 0.0013 SOL, and 0.00023 for each address. Set LOOKUP_TABLE for
API and worker to the address that \`create\` prints. After \`pairs add\`, run \`extend\`.`;

export function lookupTableCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('lookup-table')
    .description('the address lookup table of launches on Raydium')
    .addHelpText('after', HELP);
  command
    .command('show', { isDefault: true })
    .description('what the table holds and what it lacks')
    .addOption(tableOption())
    .addOption(jsonOption())
    .action((options: TableOptions) => show(io, options));
  command
    .command('create')
    .description('make a table and fill it')
    .addOption(jsonOption())
    .action((options: OutputOptions) => create(io, options));
  command
    .command('extend')
    .description('add what the table lacks; continues an interrupted run')
    .addOption(tableOption())
    .addOption(jsonOption())
    .action((options: TableOptions) => extend(io, options));
}

const tableOption = () =>
  new Option('--table <address>', 'address of the table (default: LOOKUP_TABLE)').argParser(parseAddress);

async function show(io: OpsIo, options: TableOptions): Promise<void> {
  const wanted = await withDatabase(io, (db) => wantedEntries(io, db));
  report(io, options, await readTable(io, tableAddress(io, options.table)), wanted);
}

async function create(io: OpsIo, options: OutputOptions): Promise<void> {
  const present = io.env['LOOKUP_TABLE'];
  if (present) throw new OpsError(`LOOKUP_TABLE is ${present} already; \`lookup-table extend\` fills it`);
  const wanted = await withDatabase(io, (db) => wantedEntries(io, db));
  const address = await makeTable(io);
  report(io, options, await fillTable(io, address, wanted), wanted);
}

async function extend(io: OpsIo, options: TableOptions): Promise<void> {
  const wanted = await withDatabase(io, (db) => wantedEntries(io, db));
  report(io, options, await fillTable(io, tableAddress(io, options.table), wanted), wanted);
}

function report(io: OpsIo, options: OutputOptions, table: LookupTable, wanted: readonly TableEntry[]): void {
  const lacking = lackingIn([table.usable], wanted).map(({ what, address }) => ({ what, address: address.toBase58() }));
  const value = {
    table: table.address.toBase58(),
    authority: table.authority?.toBase58() ?? null,
    deactivated: table.isDeactivated,
    addresses: table.addresses.map((address) => address.toBase58()),
    lacking,
  };
  const { addresses, ...rest } = value;
  const lacks = lacking.map(({ what, address }) => `  ${what}: ${address}`);
  const text = facts({ ...rest, addresses: addresses.length, lacking: lacking.length });
  print(io, options, value, [text, ...lacks].join('\n'));
}

function parseAddress(text: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch {
    throw new InvalidArgumentError('it is not a Solana address.');
  }
}
