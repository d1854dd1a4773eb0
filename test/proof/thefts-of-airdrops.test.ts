import { createHash } from 'node:crypto';
import { createApproveInstruction } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, it } from 'vitest';
import { verifyAirdrop } from '../../client/verify/airdrop/verify-airdrop.ts';
import { type AirdropShare, planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { airdropDocument } from '../../domain/airdrop/airdrop-document.ts';
import { recipientDocument, type RecipientSet } from '../../domain/airdrop/recipient-set.ts';
import { documentLines, rootOfLines } from '../../domain/proof/lines.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { type LandedLaunch, landLaunch, type LaunchFacts } from '../support/proof/landed-launch.ts';
import { expectNamed, type Named } from '../support/proof/named.ts';
import { someAddress } from '../support/proof/scripted-chain.ts';
import { burn, type Landing, move, pay, startTheftGround, type TheftGround } from '../support/proof/theft-ground.ts';

let ground: TheftGround;
beforeAll(async () => {
  ground = await startTheftGround();
});
afterAll(() => ground.close());

const [SHARE_RAW, TAX_BPS] = [8_003n, 100];
const wallets = Array.from({ length: 8 }, someAddress);
const friend = someAddress();
const set: RecipientSet = {
  version: 1,
  source: 'quote-holders',
  tier: 'top100',
  quoteMint: someAddress(),
  slot: 5,
  recipients: wallets,
};
const recipientsHash = createHash('sha256').update(recipientDocument(set)).digest('hex');
/** With a friend in the place of a recipient. */
const swapped: RecipientSet = { ...set, recipients: wallets.with(3, friend) };
const shares = planAirdrop(SHARE_RAW, wallets);

interface Scene extends LandedLaunch {
  readonly text: string;
  readonly seal: (root: string, about: PublicKey) => Promise<Landing>;
}

interface Theft {
  readonly taxBps?: number;
  readonly launch?: LaunchFacts;
  /** The document that is shown. */
  readonly shows?: { readonly set?: RecipientSet; readonly shares?: readonly AirdropShare[] };
  /** The document of another list is sealed. */
  readonly sealsAnother?: true;
  readonly isUnsealed?: true;
  readonly beforeSeal?: (scene: Scene) => Promise<unknown>;
  /** Changes the transfers of the batches. */
  readonly delivers?: (batches: readonly (readonly Gift[])[]) => readonly (readonly Gift[])[];
  readonly then?: (scene: Scene) => Promise<unknown>;
  readonly asked?: string;
}

interface Gift {
  readonly to: string;
  readonly raw: bigint;
}

const giftsOf = (n: number): Gift[] =>
  shares.filter(({ batch }) => batch === n).map(({ wallet: to, amountRaw: raw }) => ({ to, raw }));
const honest = [giftsOf(1), giftsOf(2)];

/** A batch, signed by the launch wallet. */
const deliver = ({ coin, launchWallet }: Scene, gifts: readonly Gift[]) => {
  const wallet = launchWallet.publicKey;
  return ground.land(
    launchWallet,
    gifts.flatMap(({ to, raw }) => pay(wallet, coin, wallet, new PublicKey(to), raw)),
  );
};

function textOf({ quoteId, coin, launchWallet, steps }: LandedLaunch, shows: Theft['shows'] = {}): string {
  const facts = {
    environment: 'test',
    genesisHash: ground.genesisHash,
    quoteId,
    payment: steps[0]?.signature ?? '',
    mint: coin.mint.toBase58(),
    launchWallet: launchWallet.publicKey.toBase58(),
    shareRaw: SHARE_RAW,
    taxBps: TAX_BPS,
    recipientsHash,
    set: shows.set ?? set,
  };
  const { head, rows } = airdropDocument(facts, shows.shares ?? shares);
  return [...documentLines(head, rows)].join('\n');
}

const rootOf = (text: string) => Buffer.from(rootOfLines(text.split('\n'))).toString('hex');

/** A launch, the seal of its airdrop, its batches; then what `verify airdrop` says. */
async function verified(theft: Theft) {
  const { taxBps = TAX_BPS, shows, delivers = (batches) => batches } = theft;
  const withdrawAuthority = Keypair.generate().publicKey;
  const tax = { bps: taxBps, withdrawAuthority };
  const launched = await landLaunch(ground, { shareRaw: SHARE_RAW, tax, ...theft.launch });
  const { seal } = await ground.createSealer(launched.launchWallet);
  const text = textOf(launched, shows);
  const scene = { ...launched, text, seal };
  const { mint } = launched.coin;
  await theft.beforeSeal?.(scene);
  const sealed = theft.sealsAnother ? textOf(launched, another) : text;
  if (!theft.isUnsealed) await seal(rootOf(sealed), mint);
  for (const batch of delivers(honest)) await deliver(scene, batch);
  await theft.then?.(scene);
  ground.age();
  const question = { mint: mint.toBase58(), text: [text], source: 'the file', chain: ground.strangers() };
  return verifyAirdrop({ ...question, recipientsHash: theft.asked ?? recipientsHash });
}

const another = { set: swapped, shares: planAirdrop(SHARE_RAW, swapped.recipients) };
const RANKING: Named = ['ranking', 'not checked by this version'];

it('an honest airdrop is proven but for its ranking', async () => {
  expectNamed(await verified({}), [], [RANKING]);
});

const NO_ROW = 'the airdrop goes where no row says';
const favoured = shares.map((one, at) => ({ ...one, amountRaw: one.amountRaw + [9n, -9n, 0n][Math.min(at, 2)]! }));

/** The batches with another first gift. */
const first =
  (change: (gift: Gift) => Gift): NonNullable<Theft['delivers']> =>
  (batches) =>
    batches.map((batch, at) => batch.map((gift, place) => (at === 0 && place === 0 ? change(gift) : gift)));

it.each<[string, Theft, readonly Named[], (readonly Named[])?]>([
  [
    'to another list than the quote’s',
    { shows: another },
    [
      ['list', 'the rows are not the list of that hash'],
      ['delivered', NO_ROW],
    ],
  ],
  ['of a list that prepare did not name', { asked: 'ab'.repeat(32) }, [['document', 'it is of another list']]],
  [
    'that favours a wallet',
    {
      shows: { shares: favoured },
      delivers: () =>
        [1, 2].map((n) =>
          favoured.filter(({ batch }) => batch === n).map(({ wallet: to, amountRaw: raw }) => ({ to, raw })),
        ),
    },
    [['list', 'the share is not divided equally']],
  ],
  ['whose list was changed behind the seal', { sealsAnother: true }, [['seal', 'the document is not sealed']]],
  ['without a seal', { isUnsealed: true }, [['seal', 'the document is not sealed']]],
  [
    'with a second sealed list',
    { beforeSeal: ({ seal, coin }) => seal('cd'.repeat(32), coin.mint) },
    [['order', 'another list was sealed for this airdrop']],
  ],
  [
    'with a batch before the seal',
    { beforeSeal: (scene) => deliver(scene, giftsOf(1)), delivers: ([, second = []]) => [second] },
    [['before', 'tokens were delivered before the seal']],
    [['delivered', '6 of 8 wallets have nothing']],
  ],
  ['to a friend', { delivers: first((gift) => ({ ...gift, to: friend })) }, [['delivered', NO_ROW]]],
  [
    'to a recipient twice',
    { delivers: ([one = [], two = []]) => [one, two.slice(0, 1), two.slice(0, 1)] },
    [['delivered', 'a wallet got its tokens twice']],
  ],
  [
    'of which a recipient gets less',
    { delivers: first((gift) => ({ ...gift, raw: gift.raw - 1n })) },
    [['delivered', NO_ROW]],
  ],
  ['whose tax is twice the stated one', { taxBps: 2 * TAX_BPS }, [['tax', 'the coin has another tax']]],
  [
    'whose launch wallet lets a delegate take the rest',
    {
      delivers: ([one = []]) => [one],
      then: async ({ coin, launchWallet }) => {
        const thief = ground.newWallet();
        const [own, to] = [launchWallet.publicKey, thief.publicKey];
        const { tokenProgram } = coin;
        await ground.land(launchWallet, [
          ...pay(own, coin, own, to, 0n),
          createApproveInstruction(accountOf(coin, own), to, own, 9n, [], tokenProgram),
        ]);
        await ground.land(thief, [move(coin, own, to, 9n, to)]);
      },
    },
    [['delivered', NO_ROW]],
  ],
  [
    'whose launch wallet lets a delegate in at its launch',
    { launch: { delegate: new PublicKey(friend) } },
    [['launch', 'the launch wallet gives an account away']],
  ],
  [
    'whose last batch is burned',
    {
      delivers: ([one = []]) => [one],
      then: ({ coin, launchWallet }) => ground.land(launchWallet, [burn(coin, launchWallet.publicKey, 2_000n)]),
    },
    [['delivered', 'the airdrop is closed, and 2 of 8 wallets have nothing']],
  ],
])('31: an airdrop %s is named', async (_what, theft, differences, open = []) => {
  expectNamed(await verified(theft), differences, [...open, RANKING]);
});

it('a delivery that is not over is open, and no difference', async () => {
  expectNamed(await verified({ delivers: ([one = []]) => [one] }), [], [['delivered', '2 of 8 wallets'], RANKING]);
});

it('31: a launch wallet that is made a multisignature of a friend is open: its tokens leave without its signature', async () => {
  const then = ({ coin, launchWallet }: Scene) =>
    ground.makeMultisig(launchWallet, new PublicKey(friend), coin.tokenProgram);
  expectNamed(await verified({ then }), [], [['launch', 'is no wallet of a key'], RANKING]);
});
