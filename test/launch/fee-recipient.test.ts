import { Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { poolRequestOf } from '../../chain/launch/pool-request.ts';
import { buildRefund } from '../../chain/launch/refund.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { createKeypairSigner } from '../../chain/signers/keypair-signer.ts';
import * as launches from '../../db/launch/launches.ts';
import * as switches from '../../db/platform/switches.ts';
import { plainStamp } from '../support/lanes/stamps.ts';
import { readChainFacts } from '../support/platform/chain-facts.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let creator: Creator;
let launched: Awaited<ReturnType<Creator['launch']>>;
const recipient = Keypair.generate().publicKey;

beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform);
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  launched = await creator.launchToEnd({ feeRecipient: recipient.toBase58() });
});
afterAll(() => platform.close());

it('the Fee Key goes to the wallet that the creator named, and the ledger says so', async () => {
  const { positions } = await readChainFacts(platform, creator, launched.prepared);
  expect(positions[0]).toMatchObject({ holder: recipient.toBase58(), locked: true });
  const url = `/api/public/v1/launches?creator=${creator.address.toBase58()}`;
  const ledger = (await platform.api.inject({ method: 'GET', url })).json<{ data: { launches: object[] } }>();
  expect(ledger.data.launches).toMatchObject([{ feeRecipient: recipient.toBase58() }]);
});

async function keptTerms() {
  const launch = await launches.byQuoteId(platform.db, launched.prepared.quoteId);
  if (!launch) throw new Error('the launch is not in the database');
  return launch.terms;
}

it('a resumed launch gives the Fee Key to the same wallet, from the kept terms alone', async () => {
  const [wallets, terms] = [{ platform: creator.address, rewards: creator.address }, await keptTerms()];
  const { feeKeyHolders } = await poolRequestOf(platform.exchange, wallets, terms);
  expect(feeKeyHolders.map((holder) => holder.toBase58())).toEqual([recipient.toBase58(), creator.address.toBase58()]);
});

it('a refund goes to the creator, who paid, and not to the wallet that would have got the fees', async () => {
  const terms = await keptTerms();
  const rpc = createRpc({ endpoints: [platform.chain.rpcUrl] });
  const keys = deriveLaunchKeys(
    { id: 'seed-1', secret: new Uint8Array(32) },
    { genesisHash: '', environment: '' },
    terms.quoteId,
  );
  const [signer, treasury] = [Keypair.generate(), Keypair.generate()].map((pair) => createKeypairSigner('test', pair));
  const { blockhash } = await rpc.agreedBlockhash();
  const { wire } = await buildRefund(rpc, {
    terms,
    keys,
    lamports: BigInt(terms.payment.lamports),
    isMinted: false,
    platform: signer!,
    treasury: treasury!,
    stamp: plainStamp(signer!, blockhash),
    computeUnitPrice: 1n,
  });
  const named = VersionedTransaction.deserialize(wire).message.staticAccountKeys.map((key) => key.toBase58());
  expect(named).toContain(creator.address.toBase58());
  expect(named).not.toContain(recipient.toBase58());
});

const [offCurve] = PublicKey.findProgramAddressSync([Buffer.from('x')], SystemProgram.programId);

it.each([
  ['an address off the curve', { feeRecipient: offCurve.toBase58() }, /off the curve/],
  ['one for a reward launch', { feeRecipient: recipient.toBase58(), mode: 'reward' }, /standard launches only/],
  ['text', { feeRecipient: 'me' }, /feeRecipient/],
])('%s is refused with the reason', async (_what, changes, why) => {
  const { http, error } = await creator.tryPrepare(changes);
  expect(http).toBe(400);
  expect(error?.code).toBe('invalid_request');
  expect(error?.message).toMatch(why);
});

it('an account of a program, such as a mint, is refused with the program’s name', async () => {
  await untilState(platform, launched.prepared, 'finalized');
  const { http, error } = await creator.tryPrepare({ feeRecipient: launched.prepared.mint });
  expect([http, error?.message]).toEqual([400, expect.stringMatching(/is an account of program Token/)]);
});

it('the creator’s own wallet is no other recipient: the payment is the usual one', async () => {
  const { prepared } = await creator.launch({ feeRecipient: creator.address.toBase58() });
  expect(prepared).not.toHaveProperty('feeRecipient');
});

it('a wallet of the platform, such as that of an earlier launch, is refused', async () => {
  const launch = await launches.byQuoteId(platform.db, launched.prepared.quoteId);
  const { http, error } = await creator.tryPrepare({ feeRecipient: launch?.terms.addresses.launchWallet });
  expect([http, error?.message]).toEqual([400, expect.stringMatching(/belongs to the platform/)]);
});
