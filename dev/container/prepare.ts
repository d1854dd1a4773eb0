import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { readVariables } from '../../config/environment.ts';
import { seedStack } from '../seed/index.ts';
import { addressOf, loadKeys } from '../stack/keys.ts';

const VariablesSchema = Type.Object({
  DATABASE_URL: Type.String(),
  SOLANA_RPC_URL: Type.String(),
  ENVIRONMENT: Type.String({ default: 'local' }),
  KEYS_DIR: Type.String({ default: '/keys' }),
});

const API_SECRETS = ['QUOTE_KEYS', 'ADMIN_PASSWORD', 'STAND_IN_SEED'] as const;
const WORKER_SECRETS = [
  'LAUNCH_SEEDS',
  'TREASURY_SECRET_KEY',
  'PLATFORM_SECRET_KEY',
  'REWARDS_SECRET_KEY',
  'STAND_IN_SEED',
] as const;

async function prepare(): Promise<void> {
  const { DATABASE_URL, SOLANA_RPC_URL, ENVIRONMENT, KEYS_DIR } = readVariables(VariablesSchema, process.env);
  const [apiDirectory, workerDirectory] = [join(KEYS_DIR, 'api'), join(KEYS_DIR, 'worker')];
  for (const directory of [apiDirectory, workerDirectory]) mkdirSync(directory, { recursive: true });
  const keys = loadKeys(join(workerDirectory, 'keys.json'), {});
  const wallets = {
    treasury: addressOf(keys.TREASURY_SECRET_KEY),
    platform: addressOf(keys.PLATFORM_SECRET_KEY),
    rewards: addressOf(keys.REWARDS_SECRET_KEY),
  };
  const seedId = keys.LAUNCH_SEEDS.split(':')[0] ?? '';
  const onProgress = (text: string) => void process.stdout.write(`prepare: ${text}\n`);
  const database = { databaseUrl: DATABASE_URL, environment: ENVIRONMENT, seedId };
  await seedStack({ rpcUrl: SOLANA_RPC_URL, ...database, ...wallets, onProgress });
  const line = (name: keyof typeof keys) => `${name}=${keys[name]}`;
  write(apiDirectory, [...API_SECRETS.map(line), `TREASURY_ADDRESS=${wallets.treasury}`]);
  write(workerDirectory, WORKER_SECRETS.map(line));
}

function write(directory: string, lines: readonly string[]): void {
  writeFileSync(join(directory, 'service.env'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

await prepare();
