#!/usr/bin/env node
import { createProgram } from './program.ts';
import { say } from './say.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  say(`slipway: ${error.message}`);
  process.exitCode = 1;
}
