import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTokens } from '../../../chain/tokens/token-info.ts';
import { type StandInUnderTest, startStandInExchange } from '../../support/exchange/stand-in.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

let started: StandInUnderTest;
beforeAll(async () => {
  started = await startStandInExchange();
});
afterAll(() => started.close());

/** Makes a token and returns what was asked for. */
async function make(facts: Omit<TokenInfo, 'mint'>): Promise<TokenInfo> {
  const mint = Keypair.generate();
  const token = { ...facts, mint: mint.publicKey };
  await started.chain.createToken(token, mint, 1_000n, started.chain.bank.publicKey);
  return token;
}

const taxed = { decimals: 9, tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee: { bps: 300, maximumRaw: 5_000n } };

test('mints of both programs are read in order, with decimals and tax', async () => {
  const tokens = [
    await make({ decimals: 6, tokenProgram: TOKEN_PROGRAM_ID }),
    await make(taxed),
    await make({ decimals: 8, tokenProgram: TOKEN_2022_PROGRAM_ID }),
  ];
  const read = await readTokens(
    started.chain.connection,
    tokens.map(({ mint }) => mint),
  );
  expect(read).toEqual(tokens);
});

test('what is no mint is null: nothing, a wallet, a token account', async () => {
  const token = await make({ decimals: 6, tokenProgram: TOKEN_PROGRAM_ID });
  const { bank, connection } = started.chain;
  const account = await started.chain.openAccount(token, bank.publicKey);
  const read = await readTokens(connection, [Keypair.generate().publicKey, bank.publicKey, account, token.mint]);
  expect(read).toEqual([null, null, null, token]);
});

/** Places in a mint whose only extension is the tax: bps of the older fee, epoch of the newer one. */
const OLDER_BPS = 166 + 4 + 72 + 16;
const NEWER_EPOCH = OLDER_BPS + 2;

test('a tax that was changed holds from its epoch on, the older one until then', async () => {
  const { connection } = started.chain;
  const { mint } = await make(taxed);
  const account = await connection.getAccountInfo(mint);
  if (!account) throw new Error('the mint is missing');
  const data = Buffer.from(account.data);
  data.writeUInt16LE(77, OLDER_BPS);
  data.writeBigUInt64LE(BigInt((await connection.getEpochInfo()).epoch + 1), NEWER_EPOCH);
  const changed = { lamports: BigInt(account.lamports), data, owner: account.owner.toBase58(), executable: false };
  started.localnet.control.setAccounts([[mint.toBase58(), changed]]);
  expect((await readTokens(connection, [mint]))[0]?.transferFee?.bps).toBe(77);
});
