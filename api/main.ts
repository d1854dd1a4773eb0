import { raydiumAdapter } from '../chain/exchange/raydium/raydium-adapter.ts';
import { ApiVariablesSchema, readApiConfig } from '../config/api.ts';
import { helpText } from '../config/describe.ts';
import { runApi } from './run.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(`The HTTP API. It is configured by environment variables:\n\n${helpText(ApiVariablesSchema)}\n`);
} else {
  await runApi(() => {
    const config = readApiConfig(process.env);
    return { config, exchange: raydiumAdapter(config.lookupTable) };
  });
}
