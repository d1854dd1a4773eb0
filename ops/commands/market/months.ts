import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Command, InvalidArgumentError } from 'commander';
import { flushed } from '../../../chain/storage/flushed.ts';
import type { Db } from '../../../db/connect.ts';
import * as swapArchives from '../../../db/market/swap-archives.ts';
import * as swapMonths from '../../../db/market/swap-months.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  actorOption,
  assertConfirmed,
  type DecisionOptions,
  decisionOf,
  jsonOption,
  noteOption,
  type OutputOptions,
} from '../../options.ts';
import { print, type Row } from '../../output.ts';

export function marketMonthsCommand(market: Command, io: OpsIo): void {
  market
    .command('months')
    .description('list the months of stored swaps')
    .addOption(jsonOption())
    .action((options: OutputOptions) => withDatabase(io, (db) => list(io, db, options)));
}

async function list(io: OpsIo, db: Db, options: OutputOptions): Promise<void> {
  const [stored, archived] = await Promise.all([swapMonths.stored(db), swapArchives.archived(db)]);
  const tables = new Map(stored.map((one) => [one.month, one]));
  const files = archived.map((file) => ({ file, there: file.removedAt ? undefined : tables.get(file.month) }));
  const unwritten = stored.filter((one) => !files.some(({ there }) => there === one));
  const months = [...files, ...unwritten.map((there) => ({ file: undefined, there }))]
    .map(({ file, there }) => ({ file, there, month: (file ?? there).month }))
    .sort((a, b) => a.month - b.month)
    .map(({ file, there, month }) => ({
      month: swapMonths.monthText(month),
      aboutSwaps: there?.aboutSwaps ?? null,
      bytes: there?.bytes ?? null,
      file: file?.file ?? null,
      swapsInFile: file?.swaps ?? null,
      removedAt: file?.removedAt ?? null,
    }));
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
  readonly yes?: boolean;
}

const HELP = `
The file has a line of JSON for each swap, gzipped: amounts in raw units, prices in whole quote tokens, quoteUsd in USD for one
of them. It is read again before the command says that it is there, and no file is ever replaced: a month that is written again
gets a file beside the first. With --remove the month's table is dropped then: only the oldest month, and only where it lies two
months back, all of it is final and nothing of it changed since it was read. Trades and candles of a removed month are not served
any more; figures, high water marks, graduation and the price before the oldest trade that stays are what they were.

Examples:
  npm run ops -- market months
  npm run ops -- market archive 2026-05 --to /var/backups/slipway
  npm run ops -- market archive 2026-05 --to /var/backups/slipway --remove --yes --note "six months are enough"`;

export function marketArchiveCommand(market: Command, io: OpsIo): void {
  market
    .command('archive')
    .description('write the swaps of a month to a file, and remove them')
    .argument('<month>', 'for instance 2026-05', parseMonth)
    .requiredOption('--to <directory>', 'where the file is to be')
    .option('--remove', 'then drop the month from the database; needs --yes and --note')
    .option('--yes', 'confirms --remove')
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
  const now = new Date();
  const removed = options.remove === true;
  if (month >= swapMonths.monthOf(now)) throw new OpsError(`${text} is not over`);
  if (removed) {
    await swapArchives.removableTable(db, { month, now });
    assertConfirmed(options, `would write ${text} to ${options.to} and drop it from the database`);
    if (options.note === undefined) throw new OpsError('give --note: the audit log keeps why a month was removed');
  }
  const { file, ...written } = await writeFile(db, month, options.to);
  await swapArchives.noteArchived(db, { month, file, ...written });
  if (removed) await swapArchives.remove(db, { month, now, ...decisionOf(io, options) });
  const { size } = await stat(file);
  const answer = { month: text, file, swaps: written.swaps, sha256: written.sha256, bytes: size, removed };
  print(
    io,
    options,
    answer,
    `${written.swaps} swaps of ${text} are in ${file} (${size} bytes)${removed ? ', and not in the database any more' : ''}`,
  );
}

type Lines = Pick<swapArchives.ArchivedMonth, 'swaps' | 'sha256'>;

type Written = Lines & Pick<swapArchives.ArchivedMonth, 'untilSlot' | 'changes'>;

/** A temporary file, verified, then linked to its name: a named file is complete and replaced none. */
async function writeFile(
  db: Db,
  month: swapMonths.SwapMonth,
  to: string,
): Promise<Written & { readonly file: string }> {
  const stem = resolve(join(to, `swaps-${swapMonths.monthText(month)}`));
  const partial = `${stem}.${randomUUID()}.partial`;
  await mkdir(to, { recursive: true });
  try {
    const written = await swapArchives.readMonth(db, month, (reading) => write(reading, partial));
    await assertHeld(partial, written);
    return { ...written, file: await giveName(partial, stem) };
  } finally {
    await rm(partial, { force: true });
  }
}

async function write({ changes, pages }: swapArchives.MonthReading, partial: string): Promise<Written> {
  const hash = createHash('sha256');
  let [swaps, untilSlot] = [0n, 0n];
  async function* lines() {
    for await (const page of pages) {
      const text = page.map((swap) => `${JSON.stringify(swap, bigintAsText)}\n`).join('');
      swaps += BigInt(page.length);
      for (const { slot } of page) if (slot > untilSlot) untilSlot = slot;
      hash.update(text);
      yield text;
    }
  }
  await pipeline(lines, createGzip(), createWriteStream(partial, { flags: 'wx', flush: true }));
  return { swaps, sha256: hash.digest('hex'), untilSlot, changes };
}

async function assertHeld(partial: string, { swaps, sha256 }: Lines): Promise<void> {
  const read = await readAgain(partial);
  if (read.swaps === swaps && read.sha256 === sha256) return;
  throw new OpsError(`${partial} held ${read.swaps} swaps and not the ${swaps} that were written: is the disk whole?`);
}

async function giveName(partial: string, stem: string): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${stem}${number === 1 ? '' : `-${number}`}.ndjson.gz`;
    try {
      await link(partial, file);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    // Two names until the temporary one is removed.
    await rm(partial);
    await flushed(dirname(file), 'r', async () => undefined);
    return file;
  }
}

async function readAgain(file: string): Promise<Lines> {
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
