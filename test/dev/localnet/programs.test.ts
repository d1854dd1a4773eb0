import { TransactionInstruction, PublicKey } from '@solana/web3.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type TestChain } from '../../support/dev/localnet-chain.ts';

const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const MEMO = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

let folder: string;
let chain: TestChain;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-programs-'));
  // Any ELF shows where a file is deployed; the runtime brings one along.
  const source = await startChain();
  await writeFile(join(folder, 'raydium_clmm.so'), await source.accountData(MEMO));
  await source.node.close();
  chain = await startChain({ programsDir: folder });
});
afterAll(async () => {
  await chain.node.close();
  await rm(folder, { recursive: true });
});

test('an ELF of the programs folder is deployed at its mainnet id and runs', async () => {
  expect(chain.node.programs).toEqual({ 'raydium_clmm.so': CLMM });
  const call = new TransactionInstruction({ programId: new PublicKey(CLMM), keys: [], data: Buffer.from('hello') });
  const signature = await chain.run([call]);
  const { meta } = await chain.transaction(signature);
  expect(meta.err).toBeNull();
  expect(meta.logMessages).toContain(`Program ${CLMM} success`);
});
