import { exchangeContract } from '../../support/exchange/contract.ts';
import { raydiumOnly } from './raydium-only.ts';
import { readSubject, startSubject } from './subject.ts';

const subject = readSubject();

exchangeContract(subject.kind, () => startSubject(subject));
if (subject.kind === 'raydium') raydiumOnly(() => startSubject(subject));
