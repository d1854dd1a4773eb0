import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { buildRefund, type RefundRequest } from '../../chain/launch/refund.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { createKeypairSigner } from '../../chain/signers/keypair-signer.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { createTestChain, type TestChain } from '../support/exchange/test-chain.ts';
import { plainStamp } from '../support/lanes/stamps.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';

/** Tag of an instruction of the Token program. */
const TRANSFER_CHECKED = 12;

/** Tag of an instruction of the system program. */
const TRANSFER = 2;

let localnet: Localnet;
let chain: TestChain;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 40 });
  chain = await createTestChain(new Connection(localnet.rpcUrl, 'confirmed'), async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
});
afterAll(() => localnet.close());

it('a refund pays the creator and leaves quote tokens that are frozen or that no account of the treasury takes', async () => {
  const mint = Keypair.generate();
  const quote = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
  await chain.createToken(quote, mint, 1_000n, chain.bank.publicKey);
  const [platform, treasury] = [Keypair.generate(), Keypair.generate()].map((pair) =>
    createKeypairSigner('test', pair),
  );
  const rpc = createRpc({ endpoints: [localnet.rpcUrl] });
  const keys = deriveLaunchKeys(
    { id: 'seed-1', secret: new Uint8Array(32) },
    { genesisHash: '', environment: '' },
    'q',
  );
  const [quoteMint, tokenProgram] = [quote.mint.toBase58(), TOKEN_PROGRAM_ID.toBase58()];
  const terms = launchTerms({ quoteToken: { mint: quoteMint, symbol: 'USDC', decimals: 6, tokenProgram } });
  const { blockhash } = await rpc.agreedBlockhash();
  const request = {
    terms,
    keys,
    lamports: BigInt(terms.payment.lamports),
    isMinted: false,
    platform: platform!,
    treasury: treasury!,
    stamp: plainStamp(platform!, blockhash),
    computeUnitPrice: 1n,
  };
  const builtMessage = async (refund: RefundRequest) =>
    VersionedTransaction.deserialize((await buildRefund(rpc, refund)).wire).message;
  const paidToCreator = async (refund: RefundRequest) =>
    TransactionMessage.decompile(await builtMessage(refund))
      .instructions.filter(({ programId, data }) => programId.equals(SystemProgram.programId) && data[0] === TRANSFER)
      .filter(({ keys: accounts }) => accounts[1]?.pubkey.toBase58() === terms.creator)
      .reduce((sum, { data }) => sum + data.readBigUInt64LE(4), 0n);
  const transfers = async (refund: RefundRequest = request) => {
    const message = await builtMessage(refund);
    return message.compiledInstructions.filter(
      ({ programIdIndex, data }) =>
        message.staticAccountKeys[programIdIndex]?.equals(TOKEN_PROGRAM_ID) === true && data[0] === TRANSFER_CHECKED,
    ).length;
  };
  await chain.give(quote, keys.wallet.publicKey, 1n);
  expect(await transfers()).toBe(0);
  const heir = getAssociatedTokenAddressSync(quote.mint, treasury!.publicKey, true);
  await chain.fund(heir, LAMPORTS_PER_SOL);
  expect(await transfers()).toBe(0);
  await chain.openAccount(quote, treasury!.publicKey);
  expect(await transfers()).toBe(1);
  // Whoever issues the token could freeze it, and hold up the refund.
  const held = getAssociatedTokenAddressSync(quote.mint, keys.wallet.publicKey, true);
  for (const account of [held, heir]) {
    localnet.control.setFrozen(account.toBase58(), true);
    expect(await transfers()).toBe(0);
    localnet.control.setFrozen(account.toBase58(), false);
  }
  // What the platform owes never waits for what a dev buy owes it.
  const devBuy = { tokensRaw: '1', netTokensRaw: '1', maxQuoteRaw: '1', lamports: '1' };
  const minted = { ...request, terms: { ...terms, devBuy }, isMinted: true };
  expect(await transfers(minted)).toBe(1);
  for (const account of [held, heir]) {
    localnet.control.setFrozen(account.toBase58(), true);
    expect(await transfers(minted)).toBe(0);
    expect(await paidToCreator(minted)).toBe(request.lamports);
    localnet.control.setFrozen(account.toBase58(), false);
  }
});
