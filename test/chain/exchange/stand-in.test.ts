import { exchangeContract } from '../../support/exchange/contract.ts';
import { startLocalExchange } from '../../support/exchange/stand-in.ts';

exchangeContract('local', startLocalExchange);
