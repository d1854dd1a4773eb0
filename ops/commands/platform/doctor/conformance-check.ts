import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { MAINNET_GENESIS } from '../../../../domain/network.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Report of `npm run conformance -- --fork URL`. */
export const CONFORMANCE_REPORT = join(import.meta.dirname, '../../../../deploy/conformance.json');

const ReportSchema = Type.Object({
  exchange: Type.String(),
  genesisHash: Type.Optional(Type.String()),
  /** Null: all ran. */
  only: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  passed: Type.Integer(),
  failed: Type.Integer(),
});

const REMEDY = 'npm run conformance -- --fork URL, and commit what it writes (docs/mainnet.md)';

export async function conformanceFindings(genesisHash: string, path = CONFORMANCE_REPORT): Promise<Finding[]> {
  if (genesisHash !== MAINNET_GENESIS) return [];
  const text = await textOf(path);
  if (text === null) {
    const what =
      'it was never run on a fork of mainnet: locking and harvesting were never executed by the real program';
    return [problem('conformance', what, REMEDY)];
  }
  const report = Value.Parse(ReportSchema, JSON.parse(text));
  const { exchange, passed, failed } = report;
  if (report.genesisHash !== genesisHash) {
    const forked = `a cluster with genesis hash ${report.genesisHash ?? 'unknown'}`;
    return [problem('conformance', `it was run on a fork of ${forked}, not of this one (${genesisHash})`, REMEDY)];
  }
  if (exchange === 'raydium' && report.only === null && passed > 0 && failed === 0) {
    return [ok('conformance', `${passed} tests passed on a fork of mainnet`)];
  }
  const part = report.only === null ? '' : ', of a part of the suite';
  return [problem('conformance', `of ${exchange}: ${passed} passed, ${failed} failed${part}`, REMEDY)];
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
