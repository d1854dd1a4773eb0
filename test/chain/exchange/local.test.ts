import { exchangeContract } from './contract.ts';
import { startLocalExchange } from './local-support.ts';

exchangeContract('local', startLocalExchange);
