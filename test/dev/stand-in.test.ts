import { exchangeContract } from '../support/exchange/contract.ts';
import { startStandInExchange } from '../support/exchange/stand-in.ts';

exchangeContract('local', startStandInExchange);
