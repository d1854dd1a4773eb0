import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreedTaxBps } from '../../../chain/tokens/agreed-tokens.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type StandInUnderTest, startStandInExchange } from '../../support/exchange/stand-in.ts';
import { otherMints } from '../../support/rpc/lying-mints.ts';
import { startLiar } from '../../support/rpc/scripted-node.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

let started: StandInUnderTest;
beforeAll(async () => {
  started = await startStandInExchange();
});
afterAll(() => started.close());

async function make(facts: Omit<TokenInfo, 'mint'>): Promise<TokenInfo> {
  const mint = Keypair.generate();
  const token = { ...facts, mint: mint.publicKey };
  await started.chain.createToken(token, mint, 1_000n, started.chain.bank.publicKey);
  return token;
}

const honest = (name: string) => `${started.localnet.rpcUrl}/rpc/${name}`;
const read = (endpoints: readonly string[], tokens: readonly TokenInfo[]) =>
  createRpc({ endpoints }).agreedTokens(tokens.map(({ mint }) => mint));

test('of three endpoints one changes neither the program nor the decimals nor the tax of a mint', async () => {
  const tokens = [
    await make({ decimals: 6, tokenProgram: TOKEN_PROGRAM_ID }),
    await make({ decimals: 9, tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee: { bps: 300, maximumRaw: 5_000n } }),
    await make({ decimals: 8, tokenProgram: TOKEN_2022_PROGRAM_ID }),
  ];
  await using liar = await startLiar(started.localnet.rpcUrl, otherMints);
  await using ahead = await startLiar(started.localnet.rpcUrl, (method, result) =>
    method === 'getEpochInfo' ? { ...(result as object), epoch: 1_000_000 } : result,
  );
  for (const { url } of [liar, ahead]) expect(await read([url, honest('a'), honest('b')], tokens)).toEqual(tokens);
  await expect(read([liar.url, honest('a')], tokens)).rejects.toThrow(
    /no quorum of RPC endpoints says the same of mint/,
  );
  expect(await read([honest('a')], [{ ...tokens[0]!, mint: started.chain.bank.publicKey }])).toEqual([null]);
});

/** Places in a mint whose only extension is the tax: bps of the older fee, epoch of the newer one. */
const OLDER_BPS = 166 + 4 + 72 + 16;
const NEWER_EPOCH = OLDER_BPS + 2;

test('a tax that is to change counts from the epoch before it on, which no endpoint alone brings about or puts off', async () => {
  const taxed = { decimals: 9, tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee: { bps: 300, maximumRaw: 5_000n } };
  const token = await make(taxed);
  const account = (await started.chain.connection.getAccountInfo(token.mint))!;
  const { epoch } = await started.chain.connection.getEpochInfo();
  const data = Buffer.from(account.data);
  data.writeUInt16LE(77, OLDER_BPS);
  data.writeBigUInt64LE(BigInt(epoch + 2), NEWER_EPOCH);
  const changed = { lamports: BigInt(account.lamports), data, owner: account.owner.toBase58(), executable: false };
  started.localnet.control.setAccounts([[token.mint.toBase58(), changed]]);
  await using ahead = await startLiar(started.localnet.rpcUrl, (method, result) =>
    method === 'getEpochInfo' ? { ...(result as object), epoch: epoch + 1 } : result,
  );
  const present = async (...endpoints: string[]) => (await read(endpoints, [token]))[0]?.transferFee?.bps;
  expect(await present(ahead.url, honest('a'), honest('b'))).toBe(77);
  expect(await present(ahead.url, ahead.url, honest('a'))).toBe(300);
  await expect(present(ahead.url, honest('a'))).rejects.toThrow('no quorum of RPC endpoints is in the same epoch');
  data.writeUInt16LE(400, OLDER_BPS);
  started.localnet.control.setAccounts([[token.mint.toBase58(), changed]]);
  expect(await present(ahead.url, ahead.url, honest('a'))).toBe(400);
});

/** The same mint with a tax of one bps, where it has a tax. */
function untaxed(base64: string): string {
  const data = Buffer.from(base64, 'base64');
  if (data.length < NEWER_EPOCH + 18) return base64;
  for (const place of [OLDER_BPS, NEWER_EPOCH + 16]) data.writeUInt16LE(1, place);
  return data.toString('base64');
}

test('the tax that a dev buy bears is what a quorum says, however little one endpoint says', async () => {
  const taxed = { decimals: 9, tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee: { bps: 300, maximumRaw: 5_000n } };
  const [token, free] = [await make(taxed), await make({ decimals: 8, tokenProgram: TOKEN_2022_PROGRAM_ID })];
  await using liar = await startLiar(started.localnet.rpcUrl, (method, result) => {
    if (method !== 'getMultipleAccounts') return result;
    const said = result as { readonly value: readonly { readonly data: readonly [string, string] }[] };
    return {
      ...said,
      value: said.value.map((account) => ({ ...account, data: [untaxed(account.data[0]), 'base64'] })),
    };
  });
  const tax = (mint: TokenInfo, ...endpoints: string[]) => agreedTaxBps(createRpc({ endpoints }), mint.mint);
  expect(await tax(token, liar.url, honest('a'), honest('b'))).toBe(300);
  expect(await tax(free, liar.url, honest('a'), honest('b'))).toBe(0);
  await expect(tax(token, liar.url, honest('a'))).rejects.toThrow(
    /no quorum of RPC endpoints says the same of the tax/,
  );
});

test('a final mint of the Token program is asked for once, a mint that can change each time', async () => {
  const tokens = [
    await make({ decimals: 6, tokenProgram: TOKEN_PROGRAM_ID }),
    await make({ decimals: 8, tokenProgram: TOKEN_2022_PROGRAM_ID }),
  ];
  const asked: string[] = [];
  const counted: typeof fetch = (input, init) => {
    asked.push(typeof init?.body === 'string' ? init.body : '');
    return fetch(input, init);
  };
  const rpc = createRpc({ endpoints: [honest('a')], fetch: counted });
  const [lasting, changing] = tokens.map(({ mint }) => mint);
  const timesAsked = (mint = '') => asked.filter((body) => body.includes(mint)).length;
  await expect.poll(async () => (await rpc.agreedAccounts([lasting!.toBase58()])).values().next().value).not.toBeNull();
  asked.length = 0;
  for (let n = 0; n < 3; n++) expect(await rpc.agreedTokens([lasting!, changing!])).toEqual(tokens);
  expect(timesAsked(lasting!.toBase58())).toBe(1);
  expect(timesAsked(changing!.toBase58())).toBeGreaterThanOrEqual(3);
});
