import { type Entry, keptOf, type KeptList, readKept } from '../verify/growing-list.ts';
import { readIfThere, replaceFile } from './private-file.ts';

/** Reads what an earlier run kept; null without a file. */
export async function keptIn(file: string | undefined): Promise<KeptList | null> {
  const text = file === undefined ? null : await readIfThere(file);
  return text === null || file === undefined ? null : readKept(text, file);
}

export async function keep(file: string | undefined, entries: readonly Entry[]): Promise<void> {
  if (file !== undefined) await replaceFile(file, `${JSON.stringify(keptOf(entries))}\n`);
}
