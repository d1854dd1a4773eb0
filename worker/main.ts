import { raydiumAdapter } from '../chain/exchange/raydium/raydium-adapter.ts';
import { readWorkerConfig } from '../config/worker.ts';
import { runWorkerProcess } from './process.ts';

await runWorkerProcess(() => {
  const config = readWorkerConfig(process.env);
  return { config, exchange: raydiumAdapter(config.lookupTable) };
});
