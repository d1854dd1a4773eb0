import type { AddressLookupTableAccount, PublicKey } from '@solana/web3.js';
import { FEE_TIERS, type FeeTier } from '../../domain/token-facts.ts';
import type { Exchange, PoolFees } from '../exchange/exchange.ts';
import { TierClosedError } from '../exchange/tier-closed.ts';
import { LookupTableError, type ReadLookupTables } from '../transactions/lookup-table.ts';
import { exchangeEntries, lackingIn, pairEntries, spell, type TablePair } from './table-contents.ts';

/** What a process launches with, to be checked when it starts. */
export interface LaunchGround {
  readonly exchange: Pick<Exchange, 'kind' | 'lookupAddresses' | 'poolFees'>;
  readonly lookupTables: ReadLookupTables;
  readonly pairs: readonly TablePair[];
  /** Address of the treasury where this process knows it. */
  readonly treasury?: PublicKey | undefined;
  /** The platform wallet where this process knows it: nobody else may own the table. */
  readonly owner?: PublicKey | undefined;
}

/** What was found, for the start-up log. */
export interface GroundReport {
  readonly facts: readonly string[];
  /** What will not work until somebody changes it; the rest does. */
  readonly warnings: readonly string[];
}

/** What adds addresses to the table; every complaint about it ends with this. */
const REMEDY = '`npm run ops -- lookup-table extend` adds them';

/**
 * Reads the fee tiers and the lookup table once, so that what lacks is known before the first launch. A closed tier or a pair
 * whose addresses are not in the table is a warning, because the others work. Throws a LookupTableError for a table without
 * which nothing can be launched: deactivated, not there, somebody else's, or without an address that every launch names.
 */
export async function checkExchange(ground: LaunchGround): Promise<GroundReport> {
  const tiers = await Promise.all(FEE_TIERS.map((tier) => tierOf(ground.exchange, tier)));
  const table = ground.exchange.lookupAddresses.length === 0 ? [] : await lackingPairs(ground);
  const closed = tiers.flatMap((tier) => (tier instanceof TierClosedError ? [tier.message] : []));
  const open = tiers.flatMap((tier) => (tier instanceof TierClosedError ? [] : [tier]));
  return { facts: open, warnings: [...closed, ...table] };
}

async function tierOf(exchange: LaunchGround['exchange'], tier: FeeTier): Promise<string | TierClosedError> {
  try {
    return describeTier(tier, await exchange.poolFees(tier));
  } catch (error) {
    if (error instanceof TierClosedError) return error;
    throw error;
  }
}

function describeTier(tier: FeeTier, { feePpm, protocolPpm, fundPpm, tickSpacing }: PoolFees): string {
  const shares = `${protocolPpm} ppm of it to the protocol, ${fundPpm} ppm to the fund`;
  return `the ${tier} tier takes ${feePpm} ppm, ${shares}, tick spacing ${tickSpacing}`;
}

async function lackingPairs(ground: LaunchGround): Promise<string[]> {
  const { exchange, lookupTables, pairs, treasury, owner } = ground;
  const tables = await lookupTables();
  const lacking = lackingIn(tables, exchangeEntries(exchange));
  const [table] = tables;
  if (!table) throw new Error(`launches on ${exchange.kind} need a lookup table, and there is none`);
  assertOwn(table, owner);
  if (lacking.length > 0) {
    throw new LookupTableError(table.key, `lacks ${lacking.length} addresses: ${spell(lacking)}; ${REMEDY}`);
  }
  const unpaired = pairs.flatMap((pair) => lackingIn(tables, pairEntries(pair, treasury)));
  if (unpaired.length === 0) return [];
  const found = `lookup table ${table.key.toBase58()} lacks ${unpaired.length} addresses of listed pairs: ${spell(unpaired)}`;
  return [`${found}; dev buys of these pairs are refused until ${REMEDY}`];
}

/** Somebody else's table could be deactivated under launches that are under way. One without an authority cannot. */
function assertOwn({ key, state }: AddressLookupTableAccount, owner: PublicKey | undefined): void {
  const { authority } = state;
  if (!owner || !authority || authority.equals(owner)) return;
  throw new LookupTableError(key, `belongs to ${authority.toBase58()}, not to the platform wallet ${owner.toBase58()}`);
}
