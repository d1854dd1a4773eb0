import { escapedJson, shownLine } from '../domain/terminal-text.ts';
import type { OpsIo } from './io.ts';
import type { OutputOptions } from './options.ts';

export type Row = Readonly<Record<string, string | number | boolean | Date | null>>;

export function print(io: OpsIo, { json }: OutputOptions, value: object, forPeople: readonly Row[] | string): void {
  if (json) io.write(`${escapedJson(JSON.stringify(value, bigintAsText))}\n`);
  else io.write(`${typeof forPeople === 'string' ? forPeople : table(forPeople)}\n`);
}

/** A sentence if there are none. */
export function table(rows: readonly Row[]): string {
  const titles = Object.keys(rows[0] ?? {});
  if (titles.length === 0) return 'nothing to show';
  const lines = [
    titles.map((title) => title.toUpperCase()),
    ...rows.map((row) => titles.map((title) => cell(row[title]))),
  ];
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function facts(rows: Row, indent = ''): string {
  const shown = Object.entries(rows).filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${indent}${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

/** Formats two units: `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function cell(value: Row[string] | undefined): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // A line break of another machine would look like a row of ours.
  return shownLine(String(value ?? '-'));
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
