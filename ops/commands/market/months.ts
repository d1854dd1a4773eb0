import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Command, InvalidArgumentError } from 'commander';
import type { Db } from '../../../db/connect.ts';
import * as swapMonths from '../../../db/market/swap-months.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  actorOption,
  type DecisionOptions,
  decisionOf,
  jsonOption,
  noteOption,
  type OutputOptions,
} from '../../options.ts';
import { print, type Row } from '../../output.ts';

/** `market months`: which months of swaps are stored, and which were written to files. */
export function marketMonthsCommand(market: Command, io: OpsIo): void {
  market
    .command('months')
    .description('list the months of stored swaps')
    .addOption(jsonOption())
    .action((options: OutputOptions) => withDatabase(io, (db) => list(io, db, options)));
}

async function list(io: OpsIo, db: Db, options: OutputOptions): Promise<void> {
  const [stored, archived] = await Promise.all([swapMonths.stored(db), swapMonths.archived(db)]);
  const numbers = new Set([...stored, ...archived].map(({ month }) => month));
  const months = [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const there = stored.find(({ month }) => month === number);
      const file = archived.find(({ month }) => month === number);
      return {
        month: swapMonths.monthText(number),
        aboutSwaps: there?.aboutSwaps ?? null,
        bytes: there?.bytes ?? null,
        file: file?.file ?? null,
        swapsInFile: file?.swaps ?? null,
        removedAt: file?.removedAt ?? null,
      };
    });
  const toRow = ({ aboutSwaps, bytes, swapsInFile, ...rest }: (typeof months)[number]): Row => ({
    month: rest.month,
    'about swaps': aboutSwaps === null ? null : String(aboutSwaps),
    bytes: bytes === null ? null : String(bytes),
    file: rest.file,
    'swaps in file': swapsInFile === null ? null : String(swapsInFile),
    removed: rest.removedAt,
  });
  print(io, options, { months }, months.map(toRow));
}

interface ArchiveOptions extends DecisionOptions {
  readonly to: string;
  readonly remove?: boolean;
}

const HELP = `
The file has a line of JSON for each swap, gzipped: amounts in raw units, prices in whole quote tokens, quoteUsd in USD for one
of them. It is read again before the command says that it is there. With --remove the month's table is dropped then: only the
oldest month, and only where it lies two months back and all of it is final. Trades and candles of a removed month are not
served any more; figures, high water marks, graduation and the price before the oldest trade that stays are what they were.

Examples:
  npm run ops -- market months
  npm run ops -- market archive 2026-05 --to /var/backups/slipway
  npm run ops -- market archive 2026-05 --to /var/backups/slipway --remove --note "six months are enough"`;

/** `market archive MONTH`: writes the swaps of a month to a file, and drops its table on request. */
export function marketArchiveCommand(market: Command, io: OpsIo): void {
  market
    .command('archive')
    .description('write the swaps of a month to a file, and remove them')
    .argument('<month>', 'for instance 2026-05', parseMonth)
    .requiredOption('--to <directory>', 'where the file is to be')
    .option('--remove', 'then drop the month from the database')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((month: number, options: ArchiveOptions) => withDatabase(io, (db) => archive(io, db, month, options)));
}

function parseMonth(text: string): swapMonths.SwapMonth {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) throw new InvalidArgumentError('A month is written like 2026-05.');
  return Number(year) * 12 + Number(month) - 1;
}

async function archive(io: OpsIo, db: Db, month: swapMonths.SwapMonth, options: ArchiveOptions): Promise<void> {
  const text = swapMonths.monthText(month);
  if (!(await swapMonths.stored(db)).some((stored) => stored.month === month)) {
    throw new OpsError(`swaps of ${text} are not stored by month: see market months`);
  }
  if (month >= swapMonths.monthOf(new Date())) throw new OpsError(`${text} is not over`);
  await mkdir(options.to, { recursive: true });
  const file = resolve(join(options.to, `swaps-${text}.ndjson.gz`));
  const written = await write(db, month, file);
  await swapMonths.noteArchived(db, { month, file, ...written });
  const removed = options.remove === true;
  if (removed) await swapMonths.remove(db, { month, now: new Date(), ...decisionOf(io, options) });
  const { size } = await stat(file);
  const answer = { month: text, file, ...written, bytes: size, removed };
  print(
    io,
    options,
    answer,
    `${written.swaps} swaps of ${text} are in ${file} (${size} bytes)${removed ? ', and not in the database any more' : ''}`,
  );
}

/** What a file holds. */
interface Written {
  readonly swaps: bigint;
  readonly sha256: string;
}

/** Writes beside the file and renames, so that a file that is there is whole. */
async function write(db: Db, month: swapMonths.SwapMonth, file: string): Promise<Written> {
  const partial = `${file}.partial`;
  const hash = createHash('sha256');
  let swaps = 0n;
  async function* lines() {
    for await (const page of swapMonths.swapsOf(db, month)) {
      const text = page.map((swap) => `${JSON.stringify(swap, bigintAsText)}\n`).join('');
      swaps += BigInt(page.length);
      hash.update(text);
      yield text;
    }
  }
  await pipeline(lines, createGzip(), createWriteStream(partial, { flush: true }));
  const written = { swaps, sha256: hash.digest('hex') };
  const read = await readAgain(partial);
  if (read.swaps !== written.swaps || read.sha256 !== written.sha256) {
    throw new OpsError(
      `${partial} holds ${read.swaps} swaps and not the ${swaps} that were written: is the disk whole?`,
    );
  }
  await rename(partial, file);
  return written;
}

async function readAgain(file: string): Promise<Written> {
  const hash = createHash('sha256');
  let swaps = 0n;
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity });
  for await (const line of lines) {
    swaps += 1n;
    hash.update(`${line}\n`);
  }
  return { swaps, sha256: hash.digest('hex') };
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
