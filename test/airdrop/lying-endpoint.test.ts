import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHolderSnapshots } from '../../api/launch/holder-snapshots.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { type StandInUnderTest, startStandInExchange } from '../support/exchange/stand-in.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

const { db } = useDatabase();
let started: StandInUnderTest;
beforeAll(async () => {
  started = await startStandInExchange();
});
afterAll(() => started.close());

const thief = Keypair.generate().publicKey;

/** What a node answers on which somebody holds more than all others together. */
function enriches(method: string, result: unknown): unknown {
  if (method !== 'getProgramAccounts') return result;
  const { value, ...rest } = result as { value: readonly object[] };
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(1_000_000n);
  const data = [Buffer.concat([thief.toBuffer(), amount]).toString('base64'), 'base64'];
  return { ...rest, value: [{ ...value[0], account: { data } }, ...value] };
}

it('no endpoint of three names who gets an airdrop', async () => {
  const { bank } = started.chain;
  const mint = Keypair.generate();
  const token = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
  await started.chain.createToken(token, mint, 1_000n, bank.publicKey);
  await using liar = await startLiar(started.localnet.rpcUrl, enriches);
  const honest = ['a', 'b'].map((name) => `${started.localnet.rpcUrl}/rpc/${name}`);
  const snapshots = createHolderSnapshots({ rpc: createRpc({ endpoints: [liar.url, ...honest] }), db: db() });
  const held = { mint: mint.publicKey.toBase58(), tokenProgram: TOKEN_PROGRAM_ID.toBase58() };
  expect((await snapshots.snapshot(held, 'top100')).wallets).toEqual([bank.publicKey.toBase58()]);
});
