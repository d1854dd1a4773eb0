import { type ApiConfig, readApiConfig } from '../../../config/api.ts';
import { NO_TABLE } from '../../../dev/local/local-service.ts';
import type { Variables } from '../../../config/environment.ts';

/** Variables with which the API starts on an offline machine. */
export const LOCAL_VARIABLES: Variables = {
  ENVIRONMENT: 'test',
  LOG_LEVEL: 'silent',
  SITE_URL: 'http://127.0.0.1:8080',
  DATABASE_URL: 'postgres://tester:tester@127.0.0.1:1/nothing',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  SOLANA_RPC_URL: 'http://127.0.0.1:1',
  LOOKUP_TABLE: NO_TABLE,
  STAND_IN_SEED: Buffer.alloc(32, 1).toString('base64'),
  STORE_DIR: '/nonexistent',
  QUOTE_KEYS: `k1:${Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')}`,
  ADMIN_PASSWORD: 'correct-horse-battery',
};

/** The API's configuration for a test, with some variables replaced. */
export function testConfig(variables: Variables = {}): ApiConfig {
  return readApiConfig({ ...LOCAL_VARIABLES, ...variables });
}
