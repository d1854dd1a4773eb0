import { AuthorityType, createSetAuthorityInstruction } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TokenInfo } from '../../chain/tokens/token.ts';
import { NotProvable } from '../../client/verify/check.ts';
import { verifyWallets } from '../../client/verify/wallets/verify-wallets.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { expectNamed, type Named } from '../support/proof/named.ts';
import { walletsUsedIn } from '../support/proof/listed-wallets.ts';
import { type ScriptedLog, scriptedLog } from '../support/proof/scripted-log.ts';
import { type Landing, openAccount, pay, startTheftGround, type TheftGround } from '../support/proof/theft-ground.ts';

let ground: TheftGround;
beforeAll(async () => {
  ground = await startTheftGround();
});
afterAll(() => ground.close());

/** The keys of a platform with one coin, and its list of wallets. */
interface Scene {
  readonly treasury: Keypair;
  readonly platform: Keypair;
  readonly rewards: Keypair;
  readonly pot: Keypair;
  readonly friend: Keypair;
  readonly coin: TokenInfo;
  readonly quote: TokenInfo;
  readonly entries: readonly WalletEntry[];
  readonly seal: (root: string, about: PublicKey) => Promise<Landing>;
  readonly receipts: PublicKey;
}

interface Theft {
  /** May change the coin's tax. */
  readonly taxAuthority?: (scene: Pick<Scene, 'friend'>) => PublicKey;
  /** Between the two logs. */
  readonly between?: (scene: Scene) => Promise<unknown>;
  readonly then?: (scene: Scene) => Promise<unknown>;
  /** Changes the list that is shown. */
  readonly shows?: (scene: Scene) => readonly WalletEntry[];
  /** Changes the documents that are shown, by their roots. */
  readonly documents?: (logs: readonly ScriptedLog[]) => readonly (readonly [root: string, text: string])[];
}

const listed = walletsUsedIn(1);

async function newScene(taxAuthority?: Theft['taxAuthority']): Promise<Scene> {
  const [treasury, platform, rewards, pot, friend] = Array.from({ length: 5 }, ground.newWallet);
  if (!treasury || !platform || !rewards || !pot || !friend) throw new Error('a wallet is missing');
  const authority = taxAuthority?.({ friend });
  const tax = { bps: 100, withdrawAuthority: rewards.publicKey, ...(authority && { authority }) };
  const [coin, quote] = [await ground.makeToken(tax), await ground.makeToken()];
  await ground.give(quote, pot.publicKey, 1_000n);
  const { seal, mint: lane } = await ground.createSealer(platform);
  const receipts = Keypair.generate().publicKey;
  const addressOf = ({ publicKey }: { publicKey: PublicKey }) => publicKey.toBase58();
  const slot = await ground.slot('finalized');
  const entries = listed([
    { role: 'treasury', address: addressOf(treasury), slot },
    { role: 'platform', address: addressOf(platform), slot },
    { role: 'rewards', address: addressOf(rewards), slot },
    { role: 'lane', address: lane.toBase58(), slot: 0 },
    { role: 'pot', address: addressOf(pot), mint: coin.mint.toBase58(), slot },
    { role: 'receipts', address: receipts.toBase58(), slot },
  ]);
  return { treasury, platform, rewards, pot, friend, coin, quote, entries, seal, receipts };
}

/** Wallets sign as they do in a round; two logs are sealed. Then what `verify wallets` says. */
async function verified({ taxAuthority, between, then, shows, documents }: Theft) {
  const scene = await newScene(taxAuthority);
  const { platform, rewards, pot, quote, coin, treasury, entries, seal, receipts } = scene;
  await ground.land(platform, pay(platform.publicKey, quote, pot.publicKey, treasury.publicKey, 5n), [pot]);
  await ground.land(platform, [openAccount(rewards.publicKey, coin, rewards.publicKey)], [rewards]);
  const place = { genesisHash: ground.genesisHash, receiptKey: receipts.toBase58(), entries };
  const first = scriptedLog({ ...place, slot: await ground.slot('finalized') });
  await seal(first.root, receipts);
  ground.age();
  await between?.(scene);
  const slot = await ground.slot('finalized');
  const second = scriptedLog({ ...place, slot, number: 2, previous: first.root });
  await seal(second.root, receipts);
  await then?.(scene);
  ground.advance(3);
  const shown = new Map(documents?.([first, second]) ?? [first, second].map(({ root, text }) => [root, text]));
  return verifyWallets({
    wallets: () => Promise.resolve(shows?.(scene) ?? entries),
    source: 'the API',
    chain: ground.strangers(),
    document: (root) => {
      const text = shown.get(root);
      if (text === undefined) return Promise.reject(new NotProvable('it answered 404'));
      return Promise.resolve({ text: [text], source: `/documents/${root}` });
    },
  });
}

it('an honest list is proven', async () => {
  const checks = await verified({});
  expectNamed(checks, []);
  expect(checks.find(({ name }) => name === 'signers')?.how).toContain('2 transactions of 2 wallets');
});

/** A wallet that is not in the list pays for a transaction of the pot. */
const byFriend = ({ friend, pot, quote, treasury }: Scene) =>
  ground.land(friend, pay(friend.publicKey, quote, pot.publicKey, treasury.publicKey, 5n), [pot]);

const entryOf = ({ friend, entries }: Scene, slot: number): WalletEntry => {
  const [own] = listed([{ role: 'platform', address: friend.publicKey.toBase58(), slot }]);
  if (!own) throw new Error('a list of one entry has none');
  return { ...own, role: 'restock', number: entries.length + 1 };
};

let signedAt = 0;
const another = 'cd'.repeat(32);

it.each<[string, Theft, readonly Named[]]>([
  [
    '22: a coin whose tax goes by a friend',
    {
      then: ({ coin, platform, rewards, friend }) => {
        const { mint, tokenProgram } = coin;
        const right = AuthorityType.WithheldWithdraw;
        const given = createSetAuthorityInstruction(mint, rewards.publicKey, right, friend.publicKey, [], tokenProgram);
        return ground.land(platform, [given], [rewards]);
      },
    },
    [['coins', 'the tax of a coin goes by a wallet that the list lacks']],
  ],
  [
    '23: a coin whose tax a friend can raise',
    { taxAuthority: ({ friend }) => friend.publicKey },
    [['coins', 'the tax can change']],
  ],
  [
    '34: a wallet that signs with a pot and is missing',
    { then: byFriend },
    [['signers', 'is not listed for that slot']],
  ],
  [
    '34: a wallet that is listed from later than it signed',
    {
      then: async (scene) => {
        ({ slot: signedAt } = await byFriend(scene));
      },
      shows: (scene) => [...scene.entries, entryOf(scene, signedAt + 1)],
    },
    [['signers', 'is not listed for that slot']],
  ],
  [
    '34: a wallet that is dated back, so that it seems to be listed when it signed',
    {
      between: async (scene) => {
        ({ slot: signedAt } = await byFriend(scene));
        ground.age();
      },
      shows: (scene) => [...scene.entries, entryOf(scene, signedAt)],
    },
    [['seal', 'is dated back']],
  ],
  [
    '34: a wallet that takes the place of one in the sealed list',
    {
      shows: ({ entries, friend }) =>
        entries.map((entry) =>
          entry.role === 'treasury' ? { ...entry, address: friend.publicKey.toBase58() } : entry,
        ),
    },
    [['seal', 'the list is not the one that was sealed']],
  ],
  [
    '37: a log that is sealed between two others, for other readers',
    { between: ({ seal, receipts }) => seal(another, receipts) },
    [['seal', 'a log does not follow the one that was sealed before it']],
  ],
  [
    '37: another document than the sealed one',
    { documents: ([first, second]) => [first, second].map((log) => [log?.root ?? '', first?.text ?? '']) },
    [['seal', 'it is another document']],
  ],
])('%s: is named', async (_what, theft, differences) => {
  expectNamed(await verified(theft), differences);
});

it('37: a log that is withheld is named as open: its host may be down', async () => {
  const checks = await verified({ documents: ([first]) => (first ? [[first.root, first.text]] : []) });
  expectNamed(checks, [], [['seal', '1 of the newest logs are sealed and not shown']]);
});
