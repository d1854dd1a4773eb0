import type { Connection } from '@solana/web3.js';
import { deriveLanes } from '../../../../chain/lanes/lane.ts';
import { missingLanes } from '../../../../chain/lanes/make-lanes.ts';
import { openPlatformSigners, type PlatformSigners } from '../../../../chain/signers/platform-signers.ts';
import type { ApiConfig } from '../../../../config/api.ts';
import type { WorkerConfig } from '../../../../config/worker.ts';
import type { Db } from '../../../../db/connect.ts';
import * as laneRows from '../../../../db/money/lanes.ts';
import { formatUnits, SOL_DECIMALS } from '../../../../domain/amounts.ts';
import { opsCommand, transferCommand } from '../status/line.ts';
import { type Finding, ok, problem } from './finding.ts';

const sol = (lamports: bigint) => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;

/** Null if one does not sign. */
export interface OpenedKeys {
  readonly signers: PlatformSigners | null;
  readonly findings: readonly Finding[];
}

/** Each signs once; compares the API's treasury address. Throws a SignerError. */
export async function openKeys({ signers: sources }: WorkerConfig, api: ApiConfig | null): Promise<OpenedKeys> {
  const signers = await openPlatformSigners(sources);
  const signing = [signers.treasury, signers.platform, signers.rewards].map(({ name, publicKey }) =>
    ok('keys', `${name} signs as ${publicKey.toBase58()}`),
  );
  const treasury = signers.treasury.publicKey.toBase58();
  if (api === null)
    return { signers, findings: [...signing, ok('keys', `the API needs TREASURY_ADDRESS=${treasury}`)] };
  if (api.treasuryAddress === treasury) return { signers, findings: signing };
  const what = `TREASURY_ADDRESS is ${api.treasuryAddress ?? 'not set'}, the treasury's key is that of ${treasury}`;
  const remedy = `set TREASURY_ADDRESS=${treasury} for the API and the operator's commands`;
  return { signers, findings: [...signing, problem('keys', what, remedy)] };
}

export async function balanceFindings(
  connection: Connection,
  signers: PlatformSigners,
  leastLamports: bigint,
): Promise<Finding[]> {
  const wallets = [
    { role: 'treasury', publicKey: signers.treasury.publicKey },
    { role: 'platform', publicKey: signers.platform.publicKey },
    { role: 'rewards', publicKey: signers.rewards.publicKey },
  ];
  return Promise.all(
    wallets.map(async ({ role, publicKey }) => {
      const lamports = BigInt(await connection.getBalance(publicKey, 'confirmed'));
      if (lamports >= leastLamports) return ok('balance', `${role} holds ${sol(lamports)}`);
      const address = publicKey.toBase58();
      return problem(
        'balance',
        `${role} (${address}) holds ${sol(lamports)}, less than ${sol(leastLamports)}`,
        transferCommand(address, leastLamports - lamports),
      );
    }),
  );
}

export interface LaneParts {
  readonly db: Db;
  readonly connection: Connection;
  readonly worker: WorkerConfig;
  readonly signers: PlatformSigners;
}

export async function laneFindings({ db, connection, worker, signers }: LaneParts): Promise<Finding[]> {
  const wallets = { platform: signers.platform.publicKey, treasury: signers.treasury.publicKey };
  const lanes = await deriveLanes(wallets, worker.environment);
  const missing = await missingLanes(connection, lanes, 'confirmed');
  const written = await laneRows.all(db);
  const remedy = opsCommand(`lanes make --seed ${worker.launchSeeds[0]?.id ?? 'ID'} --note "…" --yes`);
  if (missing.length > 0)
    return [problem('lanes', `${missing.length} of ${lanes.length} are not on the chain`, remedy)];
  if (written.length === lanes.length) return [ok('lanes', `all ${lanes.length} are on the chain and in the database`)];
  const what = `the database knows ${written.length} of ${lanes.length}`;
  return [problem('lanes', what, `${remedy}, with --restored where the database was restored`)];
}
