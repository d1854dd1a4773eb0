import { randomBytes, randomUUID } from 'node:crypto';
import bs58 from 'bs58';
import { mayFollow } from '../../../domain/launch/machine.ts';
import { LAUNCH_STATES, type LaunchState } from '../../../domain/launch/state.ts';
import type { PositionHolder } from '../../../domain/fee-models.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import type { Db } from '../../../db/connect.ts';
import { type TransitionDetails, transitionLaunch } from '../../../db/launch/launch-transition.ts';
import type { LaunchIntake } from '../../../db/launch/launch-intake.ts';
import type { LaunchRecording } from '../../../db/launch/record-launch.ts';

/** A random address, base58. */
export function address(): string {
  return bs58.encode(randomBytes(32));
}

/** A random transaction signature, base58. */
export function signature(): string {
  return bs58.encode(randomBytes(64));
}

/** Terms of a standard launch with fresh addresses. */
export function launchTerms(overrides: Partial<LaunchTerms> = {}): LaunchTerms {
  return {
    version: 1,
    environment: 'test',
    genesisHash: address(),
    quoteId: randomUUID(),
    seedId: 'seed-1',
    addresses: {
      launchWallet: address(),
      mint: address(),
      positionMints: [address(), address()],
      feeKeyMints: [address(), address()],
    },
    creator: address(),
    name: 'Harbour Light',
    symbol: 'HARBOR',
    logoHash: 'ab'.repeat(32),
    logoType: 'image/png',
    links: { website: 'https://harbour.example' },
    metadataUri: 'https://store.example/metadata.json',
    fee: { mode: 'standard', feeTier: '1%' },
    quoteToken: { mint: address(), symbol: 'USDC', decimals: 6, tokenProgram: address() },
    opening: {
      baseIsToken0: true,
      tick: -120,
      sqrtPriceX64: '18446744073709551616',
      quotePriceUsd: '1.0001',
      marketCapUsd: '5001.2',
    },
    devBuy: null,
    airdrop: null,
    network: { tipLamports: '100000', computeUnitPrice: '50000' },
    payment: {
      lamports: '290000000',
      items: [{ item: 'launch', lamports: '290000000' }],
      message: 'AQ==',
      blockhash: address(),
      blockhashSlot: 1_000,
      lastValidBlockHeight: 1_150,
    },
    expiresAt: '2026-11-21T12:00:00.000Z',
    ...overrides,
  };
}

/** A submission of `terms` with a signature of its own. */
export function intakeOf(terms: LaunchTerms): LaunchIntake {
  return { terms, signature: signature(), wire: randomBytes(200), logo: Buffer.from('logo'), clientNetwork: null };
}

/** What the chain would say of a finished launch of `terms`. */
export function recordingOf(terms: LaunchTerms, overrides: Partial<LaunchRecording> = {}): LaunchRecording {
  const { addresses, creator, name, symbol, quoteToken, links, metadataUri } = terms;
  return {
    quoteId: terms.quoteId,
    paymentSignature: signature(),
    slot: 1_234n,
    launchedAt: new Date('2026-11-21T12:00:01.500Z'),
    token: {
      mint: addresses.mint,
      name,
      symbol,
      decimals: 9,
      creator,
      links,
      metadataUri,
      pool: address(),
      logoUrl: 'https://store.example/logo.png',
      url: 'https://site.example/token',
      quoteMint: quoteToken.mint,
      quoteSymbol: quoteToken.symbol,
      mode: 'standard',
      feeTier: '1%',
      rewardTaxBps: null,
      poolFeePercent: 1,
    },
    // A reward coin has no creator position.
    positions: [
      position(1, terms.fee.mode === 'reward' ? 'rewards' : 'creator', terms),
      position(2, 'platform', terms),
    ],
    airdrop: null,
    ...overrides,
  };
}

function position(index: 1 | 2, holder: PositionHolder, { addresses }: LaunchTerms) {
  return {
    index,
    positionMint: addresses.positionMints[index - 1]!,
    feeKeyMint: addresses.feeKeyMints[index - 1]!,
    holder,
    shareBps: 5_000,
    // Larger than a signed 64-bit integer: liquidity is a u128.
    liquidity: 340_282_366_920_938_463_463_374_607_431_768_211_455n,
    tickLower: -120,
    tickUpper: 443_520,
    lockedSignature: signature(),
  };
}

/** Takes a received launch to a state, by as few transitions as there are; `details` go with the last of them. */
export async function bringTo(
  db: Db,
  quoteId: string,
  goal: LaunchState,
  details: TransitionDetails = {},
): Promise<void> {
  const path = shortestPath([['received']], goal);
  const required = goal === 'refunded' ? { paymentSignature: signature(), refundSignature: signature() } : {};
  for (const [index, state] of path.slice(1).entries()) {
    await transitionLaunch(db, quoteId, [path[index]!], state, state === goal ? { ...required, ...details } : {});
  }
}

function shortestPath(paths: readonly LaunchState[][], goal: LaunchState): LaunchState[] {
  const found = paths.find((path) => path.at(-1) === goal);
  if (found) return found;
  const longer = paths.flatMap((path) =>
    LAUNCH_STATES.filter((next) => mayFollow(path.at(-1)!, next) && !path.includes(next)).map((next) => [
      ...path,
      next,
    ]),
  );
  if (longer.length === 0) throw new Error(`no launch can become ${goal}`);
  return shortestPath(longer, goal);
}
