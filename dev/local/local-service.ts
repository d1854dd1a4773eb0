import Type, { type Static } from 'typebox';
import type { ChainRules } from '../../config/chain-rules.ts';
import { ConfigError, readVariables, type Variables } from '../../config/environment.ts';
import type { ExchangeAdapter } from '../../chain/exchange/exchange-adapter.ts';
import { standInAdapter } from '../stand-in/stand-in-adapter.ts';

const LocalVariablesSchema = Type.Object({
  /** Of the stand-in exchange: 32 bytes in base64. */
  STAND_IN_SEED: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', title: '32 bytes in base64', writeOnly: true }),
  /** 1: the API serves the desk. */
  DESK: Type.Enum(['0', '1'], { default: '0' }),
  BLOCK_ENGINE_ADMIN_URL: Type.Optional(Type.String({ pattern: '^http://', title: 'an http URL' })),
});

export interface LocalService {
  readonly exchange: ExchangeAdapter;
  readonly hasDesk: boolean;
  readonly blockEngineAdminUrl: string | undefined;
}

/** The stand-in needs none; the product's reader gets the address of a program. */
export const NO_TABLE = '11111111111111111111111111111111';

const PROBLEM = 'the stand-in exchange and the desk are for a local chain';

export const productVariables = (variables: Variables): Variables => ({ ...variables, LOOKUP_TABLE: NO_TABLE });

/** @throws ConfigError, also in production */
export function readLocalService(variables: Variables): LocalService {
  if (variables['ENVIRONMENT'] === 'production') throw new ConfigError([`${PROBLEM}, not for production`]);
  const values: Static<typeof LocalVariablesSchema> = readVariables(LocalVariablesSchema, variables);
  return {
    exchange: standInAdapter(Uint8Array.from(Buffer.from(values.STAND_IN_SEED, 'base64'))),
    hasDesk: values.DESK === '1',
    blockEngineAdminUrl: values.BLOCK_ENGINE_ADMIN_URL,
  };
}

export function refusedOnPublicClusters<C extends { readonly chainRules: ChainRules }>(config: C): C {
  const onPublicClusters = [...config.chainRules.onPublicClusters, PROBLEM];
  return { ...config, chainRules: { ...config.chainRules, onPublicClusters } };
}
