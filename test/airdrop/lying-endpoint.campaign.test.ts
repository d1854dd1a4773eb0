import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OURSELVES } from '../../domain/places.ts';
import { createHolderSnapshots } from '../../api/launch/holder-snapshots.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { HOLDER_SOURCES, type HolderSourceName } from '../../chain/tokens/holder-source.ts';
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

/** The accounts of an answer of a node on which somebody holds more than all others together. */
function enriched<Account>(accounts: readonly Account[]): readonly Account[] {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(1_000_000n);
  const data = [Buffer.concat([thief.toBuffer(), amount]).toString('base64'), 'base64'];
  return accounts.length === 0 ? [] : [{ ...accounts[0], account: { data } } as Account, ...accounts];
}

/** What such a node answers, whatever way it is asked. */
function enriches(method: string, result: unknown): unknown {
  if (method === 'getProgramAccounts') {
    const { value, ...rest } = result as { value: readonly object[] };
    return { ...rest, value: enriched(value) };
  }
  if (method === 'getProgramAccountsV2') {
    const { value, ...rest } = result as { value: { accounts: readonly object[] } };
    return { ...rest, value: { ...value, accounts: enriched(value.accounts) } };
  }
  if (method !== 'getTokenAccounts') return result;
  const { token_accounts: accounts, ...rest } = result as { token_accounts: readonly object[] };
  const stolen = accounts.slice(0, 1).map((account) => ({ ...account, owner: thief.toBase58(), amount: 1_000_000 }));
  return { ...rest, token_accounts: [...stolen, ...accounts] };
}

it.each(Object.keys(HOLDER_SOURCES) as HolderSourceName[])(
  'no endpoint of three names who gets an airdrop, by the source %s',
  async (name) => {
    const { bank } = started.chain;
    const mint = Keypair.generate();
    const token = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
    await started.chain.createToken(token, mint, 1_000n, bank.publicKey);
    await using liar = await startLiar(started.localnet.rpcUrl, enriches);
    const honest = ['a', 'b'].map((path) => `${started.localnet.rpcUrl}/rpc/${path}`);
    const held = { mint: mint.publicKey.toBase58(), tokenProgram: TOKEN_PROGRAM_ID.toBase58() };
    const namedBy = async (...endpoints: readonly string[]) => {
      const snapshots = createHolderSnapshots({
        rpc: createRpc({ endpoints }),
        db: db(),
        source: HOLDER_SOURCES[name],
      });
      return (await snapshots.snapshot(held, 'top100', OURSELVES)).wallets;
    };
    expect(await namedBy(liar.url, ...honest)).toEqual([bank.publicKey.toBase58()]);
    expect(await namedBy(liar.url)).toEqual([thief.toBase58(), bank.publicKey.toBase58()]);
  },
);
