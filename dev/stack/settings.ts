import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Those with an address are not started. */
export type StackSettings = {
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  readonly temporalUiUrl: string | undefined;
  readonly temporalNamespace: string;
  readonly rpcUrl: string | undefined;
  readonly wsUrl: string | undefined;
  readonly blockEngineUrl: string | undefined;
  readonly exchange: 'local' | 'raydium';
  readonly environment: string;
  /** 0 = any; undefined = 8080, or a free one. */
  readonly port: number | undefined;
  readonly cacheDirectory: string | undefined;
  readonly siteUrl: string | undefined;
  readonly programsDirectory: string | undefined;
  readonly programs: readonly string[];
};

const PROGRAMS = ['raydium_clmm', 'raydium_lock', 'mpl_token_metadata'];

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT is "${text}"; it must be a number from 0 to 65535`);
  return port;
}

function parseExchange(text: string | undefined): 'local' | 'raydium' {
  if (text === undefined || text === '') return 'local';
  if (text === 'local' || text === 'raydium') return text;
  throw new Error(`EXCHANGE is "${text}"; it must be "local" or "raydium"`);
}

/** Applies web3.js's rule: same host, next port. */
export function websocketUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.href;
}

/** @throws with variable and value */
export function readSettings(env: NodeJS.ProcessEnv): StackSettings {
  const value = (name: string) => env[name] || undefined;
  const rpcUrl = value('SOLANA_RPC_URL');
  const blockEngineUrl = value('BLOCK_ENGINE_URL');
  if (rpcUrl !== undefined && blockEngineUrl === undefined) {
    throw new Error(
      'SOLANA_RPC_URL is set but BLOCK_ENGINE_URL is not: the local block engine serves only the local chain',
    );
  }
  const programsDirectory = value('PROGRAMS_DIR');
  const exchange = parseExchange(value('EXCHANGE'));
  if (exchange === 'raydium' && rpcUrl === undefined) {
    throw new Error(
      'EXCHANGE=raydium needs SOLANA_RPC_URL: the local chain has no lock program of Raydium, so nothing could be launched',
    );
  }
  return {
    databaseUrl: value('DATABASE_URL'),
    temporalAddress: value('TEMPORAL_ADDRESS'),
    temporalUiUrl: value('TEMPORAL_UI_URL'),
    temporalNamespace: value('TEMPORAL_NAMESPACE') ?? 'default',
    rpcUrl,
    wsUrl: value('SOLANA_WS_URL') ?? (rpcUrl && websocketUrl(rpcUrl.split(',')[0] ?? '')),
    blockEngineUrl,
    exchange,
    environment: value('ENVIRONMENT') ?? 'local',
    port: parsePort(env['PORT']),
    cacheDirectory: value('SLIPWAY_CACHE_DIR'),
    siteUrl: value('SITE_URL'),
    programsDirectory,
    programs:
      rpcUrl === undefined && programsDirectory !== undefined
        ? PROGRAMS.filter((name) => existsSync(join(programsDirectory, `${name}.so`)))
        : [],
  };
}
