import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeQuoteAccount } from '../../chain/launch/close-quote-account.ts';
import { closeWallet } from '../../chain/launch/close-wallet.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { accountOf, createTestChain, groupOf, type TestChain } from '../support/exchange/test-chain.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

let localnet: Localnet;
let chain: TestChain;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 40 });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  chain = await createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
});
afterAll(() => localnet.close());

const taxed = { transferFee: { bps: 300, maximumRaw: 1_000_000n } };
const accountAt = (address: Keypair['publicKey']) => chain.connection.getAccountInfo(address, 'confirmed');

async function createQuote(kind: Pick<TokenInfo, 'tokenProgram' | 'transferFee'>): Promise<TokenInfo> {
  const mint = Keypair.generate();
  const token = { ...kind, mint: mint.publicKey, decimals: 6 };
  await chain.createToken(token, mint, 1_000_000_000n, chain.bank.publicKey);
  return token;
}

describe('a quote account that strangers sent tokens to', () => {
  it.each([
    ['the classic program', { tokenProgram: TOKEN_PROGRAM_ID }, 1_000n, 1_000n],
    ['Token-2022', { tokenProgram: TOKEN_2022_PROGRAM_ID }, 1_000n, 1_000n],
    ['Token-2022 with a transfer tax', { tokenProgram: TOKEN_2022_PROGRAM_ID, ...taxed }, 1_000n, 940n],
    ['Token-2022, whose tax took all of it', { tokenProgram: TOKEN_2022_PROGRAM_ID, ...taxed }, 1n, 0n],
  ])('is emptied and closed: %s', async (_what, kind, sent, arrived) => {
    const quote = await createQuote(kind);
    const [wallet, heir] = [Keypair.generate(), Keypair.generate().publicKey];
    await chain.openAccount(quote, heir);
    await chain.give(quote, wallet.publicKey, sent);
    const rentTo = Keypair.generate().publicKey;
    const closing = { quote, wallet: wallet.publicKey, tokensTo: heir, rentTo };
    await chain.succeed(chain.bank, groupOf(await closeQuoteAccount(chain.connection, closing)), [wallet]);
    expect(await accountAt(accountOf(quote, wallet.publicKey))).toBeNull();
    expect(await chain.balance(accountOf(quote, heir))).toBe(arrived);
    expect(await chain.connection.getBalance(rentTo)).toBeGreaterThan(2_000_000);
  });

  it('stays where nobody of ours could take its tokens, and is no matter where there is none', async () => {
    const quote = await createQuote({ tokenProgram: TOKEN_PROGRAM_ID });
    const wallet = Keypair.generate().publicKey;
    const closing = { quote, wallet, tokensTo: Keypair.generate().publicKey, rentTo: wallet };
    expect(await closeQuoteAccount(chain.connection, closing)).toEqual([]);
    await chain.give(quote, wallet, 1n);
    expect(await closeQuoteAccount(chain.connection, closing)).toEqual([]);
    await chain.fund(accountOf(quote, closing.tokensTo), LAMPORTS_PER_SOL);
    expect(await closeQuoteAccount(chain.connection, closing)).toEqual([]);
  });

  it('stays while its tokens are frozen, or the account that would take them is', async () => {
    const quote = await createQuote({ tokenProgram: TOKEN_PROGRAM_ID });
    const [wallet, heir] = [Keypair.generate(), Keypair.generate().publicKey];
    await chain.openAccount(quote, heir);
    await chain.give(quote, wallet.publicKey, 1n);
    const closing = { quote, wallet: wallet.publicKey, tokensTo: heir, rentTo: heir };
    for (const owner of [wallet.publicKey, heir]) {
      const account = accountOf(quote, owner).toBase58();
      localnet.control.setFrozen(account, true);
      expect(await closeQuoteAccount(chain.connection, closing)).toEqual([]);
      localnet.control.setFrozen(account, false);
    }
    expect(await closeQuoteAccount(chain.connection, closing)).toHaveLength(2);
  });
});

describe('a wallet that is closed', () => {
  it.each([0, 1_000_000, LAMPORTS_PER_SOL])('gives all of its %i lamports and is gone', async (lamports) => {
    const [wallet, to] = [Keypair.generate(), Keypair.generate()];
    await chain.fund(to.publicKey, LAMPORTS_PER_SOL);
    if (lamports > 0) await chain.fund(wallet.publicKey, lamports);
    const closing = await closeWallet(chain.connection, wallet.publicKey, to.publicKey);
    await chain.succeed(chain.bank, groupOf(closing), [wallet, to]);
    expect(await accountAt(wallet.publicKey)).toBeNull();
    expect(await chain.connection.getBalance(to.publicKey)).toBe(LAMPORTS_PER_SOL + lamports);
  });

  it('can be used again afterwards', async () => {
    const [wallet, to] = [Keypair.generate(), Keypair.generate()];
    await chain.fund(to.publicKey, LAMPORTS_PER_SOL);
    for (const lamports of [1_000_000, 2_000_000]) {
      await chain.fund(wallet.publicKey, lamports);
      const closing = await closeWallet(chain.connection, wallet.publicKey, to.publicKey);
      await chain.succeed(chain.bank, groupOf(closing), [wallet, to]);
    }
    expect(await chain.connection.getBalance(to.publicKey)).toBe(LAMPORTS_PER_SOL + 3_000_000);
  });
});
