import { Connection } from '@solana/web3.js';
import { createLocalExchange } from '../../../chain/exchange/local/local-exchange.ts';
import { startLocalnet } from '../../../dev/localnet/index.ts';
import { exchangeContract } from './contract.ts';
import { createTestChain } from './test-chain.ts';

const SLOT_MS = 40;

exchangeContract('local', async () => {
  const localnet = await startLocalnet({ slotMs: SLOT_MS });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const chain = await createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
  const exchange = createLocalExchange({
    connection,
    seed: new Uint8Array(32).fill(7),
    genesisHash: localnet.genesisHash,
  });
  return { exchange, chain, close: () => localnet.close() };
});
