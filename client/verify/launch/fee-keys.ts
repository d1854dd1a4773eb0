import { FEE_TIERS } from '../../fee-tiers.ts';
import { derivedAddress } from '../../solana/associated-account.ts';
import { RAYDIUM_CLMM_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { type MintAccount, readMint } from '../mint-account.ts';
import { shown } from '../growing-list.ts';
import { everyHolder, holdingOf, tenuresOf } from '../wallets/wallet-list.ts';
import type { LaunchBundle } from './launch-bundle.ts';
import { LOCK_AUTHORITY, type Liquidity } from './liquidity-checks.ts';
import { metaplexAddress } from './mint-checks.ts';
import type { RaydiumLaunch } from './raydium-steps.ts';
import type { ShownLaunch } from './shown-launch.ts';

/** Liquidity is a whole number. */
const ROUNDING_BPS = 1n;

const RULES = 'docs/verify.md';

/**
 * Requires that the launch gave the Fee Key of the first position to the creator, or of a reward coin to the rewards
 * wallet, and the other one to the platform, and that no key can mint another one.
 */
export async function checkFeeKeys(
  chain: Chain,
  bundle: LaunchBundle,
  { liquidity, mint }: { readonly liquidity: Liquidity; readonly mint: MintAccount },
  platform: ShownLaunch | null,
): Promise<Outcome<null>> {
  const [ofFirst, ofSecond] = liquidity.positions;
  const [first, second] = [holderOf(bundle, ofFirst.feeKeyMint), holderOf(bundle, ofSecond.feeKeyMint)];
  const isReward = mint.transferFee !== null;
  const [due = bundle.creator, ...others] = bundle.feeRecipients;
  if (others.length > 0) throw new NotProvable(`${bundle.payment.signature} names two wallets that get the fees`);
  if (!isReward)
    mustEqual(
      'the Fee Key of the first position went to another wallet',
      { value: due, from: `what the creator signed, ${bundle.payment.signature}` },
      { value: first, from: bundle.locks.signature },
    );
  mustHaveShare(liquidity);
  await mustBeTheOnlyOnes(chain, liquidity);
  const own = isReward
    ? ([
        ['rewards', first],
        ['platform', second],
      ] as const)
    : ([['platform', second]] as const);
  await mustBeListed(own, bundle, platform);
  const who = isReward ? `the rewards wallet ${first}` : due;
  return { how: `${who} got the first Fee Key, the platform wallet ${second} the other`, value: null };
}

/** Returns the Fee Key's owner behind the fourth transaction. */
function holderOf({ locks }: LaunchBundle, feeKeyMint: string): string {
  const [holder, ...others] = locks.tokens.filter(({ mint, after }) => mint === feeKeyMint && (after ?? 0n) > 0n);
  if (!holder) throw new NotProvable(`the balances of ${locks.signature} do not say who got the Fee Key ${feeKeyMint}`);
  if (holder.after === 1n && others.length === 0) return holder.owner;
  throw new Difference(
    'there is more than one of a Fee Key',
    { value: '1', from: RULES },
    { value: [holder, ...others].map(({ owner, after }) => `${after} of ${owner}`).join(', '), from: locks.signature },
  );
}

/** The shares of both positions are those of the pool's tier. */
function mustHaveShare({ ammConfig, positions: [first, second], pool }: Liquidity): void {
  const tier = Object.values(FEE_TIERS).find(({ config }) => configAddress(config) === ammConfig);
  if (!tier) throw new NotProvable(`${pool} has a tier without a published division: ${ammConfig}`);
  const bps = (first.liquidity * 10_000n) / (first.liquidity + second.liquidity);
  const difference = bps - BigInt(tier.firstShareBps);
  if (difference >= -ROUNDING_BPS && difference <= ROUNDING_BPS) return;
  const expected = { value: `${tier.firstShareBps} bps`, from: RULES };
  throw new Difference('the first position has another share', expected, { value: `${bps} bps`, from: 'the launch' });
}

function configAddress(index: number): string {
  return derivedAddress(
    [new TextEncoder().encode('amm_config'), Uint8Array.of(index >> 8, index & 255)],
    RAYDIUM_CLMM_PROGRAM,
  );
}

/** Requires that no Fee Key is there twice, now or later. Its holder may burn it. */
async function mustBeTheOnlyOnes(chain: Chain, { positions }: RaydiumLaunch): Promise<void> {
  const addresses = positions.map(({ feeKeyMint }) => feeKeyMint);
  for (const [index, state] of (await chain.accounts(addresses)).entries()) {
    const address = addresses[index] ?? '';
    const key = state && readMint(state);
    if (!key) throw new NotProvable(`${chain.name} does not have the Fee Key ${address}`);
    const from = `${address} on ${chain.name}`;
    if (key.supplyRaw > 1n)
      throw new Difference(
        'there is more than one of a Fee Key',
        { value: '1', from: RULES },
        { value: String(key.supplyRaw), from },
      );
    const { mintAuthority } = key;
    // Holds the right to mint of a token with Metaplex metadata, and never uses it.
    const edition = metaplexAddress(address, 'edition');
    if (mintAuthority !== null && mintAuthority !== LOCK_AUTHORITY && mintAuthority !== edition)
      throw new NotProvable(`${mintAuthority} can make another Fee Key ${address}`);
  }
}

async function mustBeListed(
  holders: readonly (readonly ['rewards' | 'platform', string])[],
  { locks: { slot, signature } }: LaunchBundle,
  platform: ShownLaunch | null,
): Promise<void> {
  const names = holders.map(([role, address]) => `${address} as ${role}`).join(' and ');
  if (platform === null)
    throw new NotProvable(`Fee Keys went to ${names}: --url names the API whose list of wallets must have them`);
  const tenures = tenuresOf(await shown(platform.wallets), platform.source);
  for (const [role, holder] of holders) {
    const listed = {
      value: everyHolder(tenures, role).join(' or '),
      from: `\`${role}\` of ${platform.source}`,
    };
    const holding = holdingOf(tenures, { role, address: holder, slot });
    if (holding === 'never')
      throw new Difference('a Fee Key of the platform went to another wallet', listed, {
        value: holder,
        from: signature,
      });
    if (holding === 'otherwise')
      throw new NotProvable(`${holder}, who got a Fee Key in slot ${slot}, was ${role} at another time`);
  }
}
