import { raydiumAdapter } from '../chain/exchange/raydium/raydium-adapter.ts';
import { readWorkerConfig } from '../config/worker.ts';
import { runWorkerProcess } from './process.ts';

const config = readWorkerConfig(process.env);
await runWorkerProcess(config, raydiumAdapter(config.lookupTable));
