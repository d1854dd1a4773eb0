import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Exchange, InstructionGroup, LaunchPoolRequest } from '../../chain/exchange/exchange.ts';
import { createApi } from '../../client/index.ts';
import { readUint } from '../../client/solana/bytes.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { memoText } from '../../client/solana/memo.ts';
import {
  MEMO_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  TOKEN_PROGRAM,
} from '../../client/solana/programs.ts';
import type { AccountState, Chain } from '../../client/verify/chain.ts';
import { Difference } from '../../client/verify/check.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { anchorTag } from '../../client/verify/launch/raydium-steps.ts';
import { type ShownLaunch, shownLaunch } from '../../client/verify/launch/shown-launch.ts';
import { type LaunchQuestion, verifyLaunch } from '../../client/verify/launch/verify-launch.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as switches from '../../db/platform/switches.ts';
import { standInAdapter } from '../../dev/stand-in/stand-in-adapter.ts';
import { type Creator, createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { expectShown } from '../support/proof/shown-verdict.ts';
import { standInAsRaydium } from '../support/proof/stand-in-as-raydium.ts';

/** How the operator changes what a launch signs. */
interface Theft {
  readonly request?: (request: LaunchPoolRequest) => LaunchPoolRequest;
  readonly locks?: (group: InstructionGroup) => InstructionGroup;
}

let platform: Platform;
let creator: Creator;
let theft: Theft = {};
/** The payment of an honest launch, and its coin. */
let [honest, coin] = ['', ''];
const friend = Keypair.generate().publicKey;
const recipient = Keypair.generate().publicKey;

beforeAll(async () => {
  platform = await startPlatform({
    openExchange: ({ secrets }) => {
      const adapter = standInAdapter(Buffer.from(secrets.STAND_IN_SEED, 'base64'));
      return Promise.resolve({
        variables: {},
        adapter: { ...adapter, open: (connection, genesis) => thieving(adapter.open(connection, genesis)) },
      });
    },
  });
  creator = await createCreator(platform, 20);
  await walletManifest.noteOwn(platform.db, ownWallets(), 1n);
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  honest = await launch();
  const { data } = await creator.status(honest);
  coin = data?.mint ?? '';
});
afterAll(() => platform.close());

const ownWallets = () => {
  const { TREASURY_SECRET_KEY, PLATFORM_SECRET_KEY, REWARDS_SECRET_KEY } = platform.secrets;
  return [
    { role: 'treasury' as const, address: addressOf(TREASURY_SECRET_KEY) },
    { role: 'platform' as const, address: addressOf(PLATFORM_SECRET_KEY) },
    { role: 'rewards' as const, address: addressOf(REWARDS_SECRET_KEY) },
  ];
};

function thieving(exchange: Exchange): Exchange {
  const asked = (request: LaunchPoolRequest) => theft.request?.(request) ?? request;
  return {
    ...exchange,
    buildPool: (request) => exchange.buildPool(asked(request)),
    buildLocks: (request) => {
      const group = exchange.buildLocks(asked(request));
      return theft.locks?.(group) ?? group;
    },
  };
}

/** Launches, and waits until the payment is final. */
async function launch(changes: object = {}, how: Theft = {}): Promise<string> {
  theft = how;
  const prepared = await creator.prepare(changes);
  const submission = creator.sign(prepared);
  const signature = signatureIn(submission.signedTransaction);
  await creator.submit(submission);
  await eventually(async () => {
    const { value } = await platform.connection.getSignatureStatus(signature);
    return value?.confirmationStatus === 'finalized' || null;
  }, `the payment ${signature} is final`);
  return signature;
}

const fetchInside: typeof fetch = async (input) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const { body, statusCode } = await platform.api.inject({ method: 'GET', url: pathname + search });
  return new Response(body, { status: statusCode, headers: { 'content-type': 'application/json' } });
};

function question(signature: string, change: (chain: Chain) => Chain = (chain) => chain): LaunchQuestion {
  const chain = standInAsRaydium(createRpcChain({ urls: [platform.chain.rpcUrl] }));
  return { launch: signature, chain: change(chain) };
}

function shown(): ShownLaunch {
  return shownLaunch(createApi({ url: 'http://slipway.test/api/public/v1', fetch: fetchInside }));
}

const outcomes = async (asked: LaunchQuestion) =>
  (await verifyLaunch(asked)).filter(({ name }) => ['liquidity', 'keys', 'shown'].includes(name));

const PROVEN = ['liquidity', 'keys', 'shown'].map((name) => ({ name, status: 'proven' }));

it.each<[string, object | null]>([
  ['standard 1 %', null],
  ['standard 2 %, whose fees another wallet gets', { feeTier: '2%', feeRecipient: recipient.toBase58() }],
  ['reward', { mode: 'reward', rewardTaxBps: 100 }],
])('an honest %s launch is proven, and its pool is the one that is shown', async (_what, changes) => {
  const signature = changes === null ? honest : await launch(changes);
  await eventually(
    async () => (await creator.status(signature)).data?.status === 'completed' || null,
    'the launch is live',
  );
  expect(await outcomes({ ...question(signature), shown: shown() })).toMatchObject(PROVEN);
});

it('docs/verify.md shows the verdict on an honest launch, asked by its mint', async () => {
  await eventually(
    async () => (await creator.status(honest)).data?.status === 'completed' || null,
    'the launch is live',
  );
  expectShown('launch', await verifyLaunch({ ...question(coin), shown: shown() }));
});

it('without a list of wallets it is open who has the platform’s Fee Key, and the rest is proven', async () => {
  expect(await outcomes(question(honest))).toMatchObject([
    { name: 'liquidity', status: 'proven' },
    { name: 'keys', status: 'unprovable', how: expect.stringContaining('--url') as unknown },
  ]);
});

it('an exchange that this version does not read is open', async () => {
  const chain = createRpcChain({ urls: [platform.chain.rpcUrl] });
  expect(await outcomes({ launch: honest, chain })).toMatchObject([{ name: 'liquidity', status: 'unprovable' }]);
});

/** The chain with some answers changed. */
function lying(
  chain: Chain,
  change: {
    readonly account?: (state: AccountState, address: string) => AccountState | null;
    readonly transaction?: (landed: Landed) => Landed;
  },
): Chain {
  return {
    ...chain,
    async transaction(signature, commitment) {
      const landed = await chain.transaction(signature, commitment);
      return landed && (change.transaction?.(landed) ?? landed);
    },
    async accounts(addresses) {
      const states = await chain.accounts(addresses);
      return states.map((state, index) => {
        const changed = state && change.account?.(state, addresses[index] ?? '');
        return changed === undefined ? state : changed;
      });
    },
  };
}

type Lie = Parameters<typeof lying>[1];

/** Changes accounts of this program and length. */
const accountOf =
  (program: string, bytes: number, change: (data: Uint8Array) => void): Lie['account'] =>
  (state) => {
    if (state.program !== program || state.data.length !== bytes) return state;
    const data = Uint8Array.from(state.data);
    change(data);
    return { program, data };
  };
const friendAt = (at: number) => (data: Uint8Array) => data.set(friend.toBytes(), at);
/** Changes mints of one unit, not that of the coin. */
const feeKeyOf = (change: (data: Uint8Array) => void): Lie['account'] =>
  accountOf(TOKEN_PROGRAM, 82, (data) => {
    if (readUint(data, 36, 8) === 1n) change(data);
  });
const NFT = { program: TOKEN_PROGRAM, bytes: 165 };
const clmmCall = (name: string): Instruction => {
  return { program: RAYDIUM_CLMM_PROGRAM, accounts: [], data: anchorTag(`global:${name}`) };
};
/** Raydium would compute the liquidity from the amounts. */
const emptied: Lie['transaction'] = (landed) => {
  const instructions = landed.instructions.map((one) => {
    if (one.program !== RAYDIUM_CLMM_PROGRAM || one.data.length !== 57) return one;
    return { ...one, data: Uint8Array.from(one.data, (byte, at) => (at >= 24 && at < 40 ? 0 : byte)) };
  });
  return { ...landed, instructions };
};
const withCall =
  (call: Instruction): Lie['transaction'] =>
  (landed) => {
    const isPool = landed.instructions.some(({ program }) => program === RAYDIUM_CLMM_PROGRAM);
    return isPool ? { ...landed, instructions: [...landed.instructions, call] } : landed;
  };

const isStep = ({ instructions }: Landed, step: number) => {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  return memos.some((memo) => memo.startsWith('launch/') && memo.endsWith(`/${step}`));
};

/** Another wallet gets coins in this transaction of the launch. */
const givenTo =
  (step: number, owner: string): Lie['transaction'] =>
  (landed) => {
    if (!isStep(landed, step)) return landed;
    const given = { account: friend.toBase58(), owner, mint: coin, before: null, after: 5n };
    return { ...landed, tokens: [...landed.tokens, given] };
  };

it.each<[string, Lie, string, 'different' | 'unprovable', string]>([
  [
    'a pool of another program',
    { account: (state) => (state.data.length === 1_544 ? { ...state, program: friend.toBase58() } : state) },
    'liquidity',
    'different',
    'the pool is not Raydium’s',
  ],
  [
    'a pool of another coin',
    {
      account: accountOf(RAYDIUM_CLMM_PROGRAM, 1_544, (data) => {
        friendAt(73)(data);
        friendAt(105)(data);
      }),
    },
    'liquidity',
    'different',
    'the pool is of another coin',
  ],
  [
    'a lock of another position',
    { account: accountOf(RAYDIUM_LOCK_PROGRAM, 241, friendAt(73)) },
    'liquidity',
    'different',
    'a lock is of another position',
  ],
  [
    'a lock with another Fee Key',
    { account: accountOf(RAYDIUM_LOCK_PROGRAM, 241, friendAt(137)) },
    'liquidity',
    'different',
    'a lock has another Fee Key',
  ],
  [
    'a lock in another form than the published one',
    { account: accountOf(RAYDIUM_LOCK_PROGRAM, 241, (data) => data.fill(0, 0, 1)) },
    'liquidity',
    'unprovable',
    'which this version does not read',
  ],
  [
    'an NFT of a position with a friend',
    { account: accountOf(NFT.program, NFT.bytes, friendAt(32)) },
    'liquidity',
    'different',
    'the lock program does not hold the NFT of a position',
  ],
  [
    'an NFT of a position that a delegate may move',
    { account: accountOf(NFT.program, NFT.bytes, (data) => data.fill(1, 72, 73)) },
    'liquidity',
    'different',
    'the lock program does not hold the NFT of a position',
  ],
  [
    'less liquidity than was opened',
    { account: accountOf(RAYDIUM_CLMM_PROGRAM, 281, (data) => data.fill(0, 83, 97)) },
    'liquidity',
    'different',
    'liquidity has left a position',
  ],
  [
    'a position that is opened without liquidity',
    { transaction: emptied },
    'liquidity',
    'different',
    'a position is opened without liquidity',
  ],
  [
    'a pool of a tier without a published division',
    { account: accountOf(RAYDIUM_CLMM_PROGRAM, 1_544, friendAt(9)) },
    'keys',
    'unprovable',
    'has a tier without a published division',
  ],
  ...[2, 3, 4].map((step): [string, Lie, string, 'different', string] => [
    `coins for a friend in transaction ${step}`,
    { transaction: givenTo(step, friend.toBase58()) },
    'liquidity',
    'different',
    'coins of the launch went to another wallet',
  ]),
  [
    'a third position',
    { transaction: withCall(clmmCall('open_position_v2')) },
    'liquidity',
    'different',
    'the launch asks Raydium for something else',
  ],
  [
    'a program that could open a third position',
    { transaction: withCall({ program: friend.toBase58(), accounts: [], data: new Uint8Array() }) },
    'liquidity',
    'unprovable',
    'could open a further position',
  ],
  [
    'an endpoint without the accounts of the locks',
    { account: (state) => (state.data.length === 241 ? null : state) },
    'liquidity',
    'unprovable',
    'does not have',
  ],
  [
    'a second one of a Fee Key',
    { account: feeKeyOf((data) => data.fill(2, 36, 37)) },
    'keys',
    'different',
    'there is more than one of a Fee Key',
  ],
  [
    'a Fee Key that somebody can make again',
    { account: feeKeyOf((data) => data.fill(1, 0, 1)) },
    'keys',
    'unprovable',
    'can make another Fee Key',
  ],
])('%s is named', async (_what, lie, name, status, said) => {
  const found = await outcomes({ ...question(honest, (chain) => lying(chain, lie)), shown: shown() });
  expect(found).toContainEqual(
    expect.objectContaining({ name, status, how: expect.stringContaining(said) as unknown }),
  );
});

it('the creator may get coins: a dev buy', async () => {
  const lie = { transaction: givenTo(3, creator.address.toBase58()) };
  const found = await outcomes({ ...question(honest, (chain) => lying(chain, lie)), shown: shown() });
  expect(found).toMatchObject(PROVEN);
});

it('a program that the launch wallet signs for at the locks is open: it could take what the wallet keeps', async () => {
  const transaction: Lie['transaction'] = (landed) => {
    if (!isStep(landed, 4)) return landed;
    const accounts = [{ address: landed.signers[0] ?? '', isSigner: true, isWritable: true }];
    const call = { program: friend.toBase58(), accounts, data: Uint8Array.of(1) };
    return { ...landed, instructions: [...landed.instructions, call] };
  };
  const [liquidity] = await outcomes({ ...question(honest, (chain) => lying(chain, { transaction })), shown: shown() });
  const how = expect.stringContaining(`sign for the program ${friend.toBase58()}`) as unknown;
  expect(liquidity).toMatchObject({ status: 'unprovable', how });
});

it('coins that reach the pool behind its transaction are a difference: a further position can take them out', async () => {
  const { pool } = await shown().coin(coin);
  const lie = { transaction: givenTo(4, pool) };
  const [liquidity] = await outcomes({ ...question(honest, (chain) => lying(chain, lie)), shown: shown() });
  expect(liquidity).toMatchObject({ status: 'different', how: 'coins of the launch went to another wallet' });
});

it('a pool that is traded while two endpoints are asked is open', async () => {
  const busy = (chain: Chain): Chain => ({
    ...chain,
    async accounts(addresses) {
      const states = await chain.accounts(addresses);
      const differ = { value: 'this slot', from: 'one endpoint' };
      if (!states.some((state) => state?.data.length === 1_544)) return states;
      throw new Difference('two endpoints differ about getMultipleAccounts', differ, { ...differ, from: 'the other' });
    },
  });
  const [liquidity] = await outcomes({ ...question(honest, busy), shown: shown() });
  expect(liquidity).toMatchObject({ status: 'unprovable', how: expect.stringContaining('ask again') as unknown });
});

it('another pool or quote token than that of the launch is a difference', async () => {
  const own = shown();
  for (const [said, other] of [
    ['another pool is shown', { pool: friend.toBase58() }],
    ['another quote token is shown', { quoteMint: friend.toBase58() }],
  ] as const) {
    const coin = async (mint: string) => ({ ...(await own.coin(mint)), ...other });
    const found = await outcomes({ ...question(honest), shown: { ...own, coin } });
    expect(found.at(-1)).toMatchObject({ name: 'shown', status: 'different', how: said });
  }
});

const BURN = 8;
const without =
  (left: number) =>
  (group: InstructionGroup): InstructionGroup => {
    const [burn, close, ...others] = group.instructions;
    if (burn?.data[0] !== BURN || !close) throw new Error('the locks of the stand-in begin otherwise');
    burn.data.writeBigUInt64LE(BigInt(2 - left), 1);
    return { ...group, instructions: left === 2 ? others : [burn, ...others] };
  };
const heldBy =
  (index: 0 | 1) =>
  (request: LaunchPoolRequest): LaunchPoolRequest => {
    const [first, second] = request.feeKeyHolders;
    return { ...request, feeKeyHolders: index === 0 ? [friend, second] : [first, friend] };
  };
const swapped = (request: LaunchPoolRequest): LaunchPoolRequest => {
  const [first, second] = request.plan.positions;
  return { ...request, plan: { ...request.plan, positions: [second, first] } };
};

it.each<[string, object, Theft, string, string]>([
  ['no position is locked', {}, { locks: without(2) }, 'liquidity', 'a position of the launch is not locked'],
  ['one position is not locked', {}, { locks: without(1) }, 'liquidity', 'a position of the launch is not locked'],
  [
    'a friend has the creator’s Fee Key',
    {},
    { request: heldBy(0) },
    'keys',
    'the Fee Key of the first position went to another wallet',
  ],
  [
    'a friend has the Fee Key of the wallet that the creator named',
    { feeRecipient: recipient.toBase58() },
    { request: heldBy(0) },
    'keys',
    'the Fee Key of the first position went to another wallet',
  ],
  [
    'a friend has the Fee Key of a pot',
    { mode: 'reward', rewardTaxBps: 100 },
    { request: heldBy(0) },
    'keys',
    'a Fee Key of the platform went to another wallet',
  ],
  [
    'a friend has the platform’s Fee Key',
    {},
    { request: heldBy(1) },
    'keys',
    'a Fee Key of the platform went to another wallet',
  ],
  [
    'the creator’s position is the smaller one',
    { feeTier: '2%' },
    { request: swapped },
    'keys',
    'the first position has another share',
  ],
])('%s: a difference', async (_what, changes, how, name, said) => {
  const signature = await launch(changes, how);
  const found = await outcomes({ ...question(signature), shown: shown() });
  expect(found).toContainEqual(expect.objectContaining({ name, status: 'different', how: said }));
});
