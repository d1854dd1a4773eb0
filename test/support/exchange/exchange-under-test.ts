import type { Exchange } from '../../../chain/exchange/exchange.ts';
import type { TestChain } from './test-chain.ts';

/** An adapter on a running chain. */
export interface ExchangeUnderTest {
  readonly exchange: Exchange;
  readonly chain: TestChain;
  close(): Promise<void>;
}
