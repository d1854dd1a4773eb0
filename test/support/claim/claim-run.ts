import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keypair } from '@solana/web3.js';

/** A client of its own process that claims all of a wallet, started again however it ended until all is claimed. */
export interface ClaimRun {
  /** Resolves once a process said that nothing is left to claim, with how many there were. */
  readonly ended: Promise<number>;
  /** `kill -9` of the process; another one is started in its place. */
  kill(): Promise<void>;
}

const CLIENT = join(import.meta.dirname, 'claim-many-process.ts');

/** What a client keeps lies in a folder of its own, which is removed when all is claimed. */
export function startClaimRun(url: string, wallet: Keypair): ClaimRun {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-claims-'));
  const keypair = join(folder, 'key.json');
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(keypair, JSON.stringify([...wallet.secretKey]), { mode: 0o600 });
  let client: ChildProcess;
  let started = 0;
  const run = async (): Promise<number> => {
    for (;;) {
      started += 1;
      client = spawn(process.execPath, [CLIENT, url, keypair, kept], { stdio: ['ignore', 'inherit', 'inherit'] });
      const exit: unknown[] = await once(client, 'exit');
      if (exit[0] === 0) return started;
    }
  };
  const ended = run().finally(() => rmSync(folder, { recursive: true, force: true }));
  return {
    ended,
    async kill() {
      const gone = once(client, 'exit');
      client.kill('SIGKILL');
      await gone;
    },
  };
}
