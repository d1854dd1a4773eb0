import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Examples } from './document.ts';

/** Examples from a seeded API: a test writes and compares them. */
export const EXAMPLES_FILE = join(import.meta.dirname, 'examples.json');

/** Need a chain and a whole platform: another test records them and compares their shape. */
export const CHAIN_EXAMPLES_FILE = join(import.meta.dirname, 'chain-examples.json');

/** @throws for a file that does not map operations to responses */
export function readExamples(): Examples {
  return { ...read(EXAMPLES_FILE), ...read(CHAIN_EXAMPLES_FILE) };
}

function read(file: string): Examples {
  return Value.Parse(Type.Record(Type.String(), Type.Unknown()), JSON.parse(readFileSync(file, 'utf8')));
}
