import { raydiumAdapter } from '../chain/exchange/raydium/raydium-adapter.ts';
import { runOpsProcess } from './process.ts';

await runOpsProcess(process.env, raydiumAdapter);
