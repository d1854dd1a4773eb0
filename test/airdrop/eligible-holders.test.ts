import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eligibleHolders } from '../../chain/airdrop/eligible-holders.ts';
import { createRpc, type Rpc } from '../../chain/rpc/rpc.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';

let chain: Localnet;
let rpc: Rpc;
beforeAll(async () => {
  chain = await startLocalnet({ slotMs: 0 });
  rpc = createRpc({ endpoints: [chain.rpcUrl] });
});
afterAll(() => chain.close());

const wallet = () => Keypair.generate().publicKey;
const texts = (keys: readonly PublicKey[]) => keys.map((key) => key.toBase58());
const nobody = () => Promise.resolve(new Set<string>());

describe('the eligible of a ranking', () => {
  it('are wallets with SOL and without, in their order', async () => {
    const owners = Array.from({ length: 5 }, wallet);
    chain.control.fund(owners[2]!.toBase58(), 1_000_000_000n);
    chain.control.advanceSlots(2);
    const found = await eligibleHolders({ rpc, excludedAmongst: nobody }, texts(owners), 3);
    expect(found).toEqual(texts(owners.slice(0, 3)));
  });

  it('are not program-owned: neither an address without a key, nor one at which a program keeps an account', async () => {
    const [first, kept, last] = [wallet(), wallet(), wallet()];
    const [derived] = PublicKey.findProgramAddressSync([Buffer.from('vault')], SystemProgram.programId);
    const owner = wallet().toBase58();
    chain.control.setAccounts([
      [kept.toBase58(), { lamports: 2_000_000n, data: Buffer.alloc(8), owner, executable: false }],
    ]);
    const deps = { rpc, excludedAmongst: nobody };
    expect(await eligibleHolders(deps, texts([first, derived, kept, last]), 2)).toEqual(texts([first, last]));
  });

  it('are not excluded; the next ones down take their places', async () => {
    const owners = Array.from({ length: 300 }, wallet);
    const excluded = new Set(texts(owners.filter((_, index) => index % 3 === 0)));
    const deps = { rpc, excludedAmongst: () => Promise.resolve(excluded) };
    const eligible = texts(owners).filter((address) => !excluded.has(address));
    expect(await eligibleHolders(deps, texts(owners), 150)).toEqual(eligible.slice(0, 150));
    expect(await eligibleHolders(deps, texts(owners), 1_000)).toEqual(eligible);
  });
});
