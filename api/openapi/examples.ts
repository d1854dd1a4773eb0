import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Examples } from './document.ts';

/** Answers that a seeded API gave: a test writes them and compares them. */
export const EXAMPLES_FILE = join(import.meta.dirname, 'examples.json');

/** Answers that need a chain, of a whole platform: another test records them, and compares their form. */
export const CHAIN_EXAMPLES_FILE = join(import.meta.dirname, 'chain-examples.json');

/** Reads the examples of the full document. Throws where a file is not one of answers by operation. */
export function readExamples(): Examples {
  return { ...read(EXAMPLES_FILE), ...read(CHAIN_EXAMPLES_FILE) };
}

function read(file: string): Examples {
  return Value.Parse(Type.Record(Type.String(), Type.Unknown()), JSON.parse(readFileSync(file, 'utf8')));
}
