import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { buildRefund } from '../../chain/launch/refund.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { createKeypairSigner } from '../../chain/signers/keypair-signer.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { createTestChain, type TestChain } from '../support/exchange/test-chain.ts';
import { plainStamp } from '../support/lanes/stamps.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';

/** Tag of an instruction of the Token program. */
const TRANSFER_CHECKED = 12;

let localnet: Localnet;
let chain: TestChain;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 40 });
  chain = await createTestChain(new Connection(localnet.rpcUrl, 'confirmed'), async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
});
afterAll(() => localnet.close());

it('a refund leaves the quote tokens that a stranger gave where no account of the treasury takes them', async () => {
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
  const transfers = async () => {
    const { wire } = await buildRefund(rpc, request);
    const { message } = VersionedTransaction.deserialize(wire);
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
  localnet.control.setFrozen(heir.toBase58(), true);
  const devBuy = { tokensRaw: '1', netTokensRaw: '1', maxQuoteRaw: '1', lamports: '1' };
  const minted = { ...request, terms: { ...terms, devBuy }, isMinted: true };
  await expect(buildRefund(rpc, minted)).rejects.toThrow(/the wallet's account is open, the treasury's frozen/);
});
