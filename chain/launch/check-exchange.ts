import type { AddressLookupTableAccount, PublicKey } from '@solana/web3.js';
import { FEE_TIERS, type FeeTier } from '../../domain/token-facts.ts';
import type { Exchange, PoolFees } from '../exchange/exchange.ts';
import { TierClosedError } from '../exchange/tier-closed.ts';
import { LookupTableError, type ReadLookupTables } from '../transactions/lookup-table.ts';
import { exchangeEntries, lackingIn, pairEntries, spell, type TablePair } from './table-contents.ts';

export interface LaunchChecks {
  readonly exchange: Pick<Exchange, 'kind' | 'lookupAddresses' | 'poolFees'>;
  readonly lookupTables: ReadLookupTables;
  readonly pairs: readonly TablePair[];
  /** If this process knows it. */
  readonly treasury?: PublicKey | undefined;
  /** If known: the table must have no other owner. */
  readonly owner?: PublicKey | undefined;
}

export interface LaunchCheckReport {
  readonly facts: readonly string[];
  /** Fail until an operator fixes them; the rest works. */
  readonly warnings: readonly string[];
}

const REMEDY = '`npm run ops -- lookup-table extend` adds them';

/**
 * A closed tier or a pair missing from the table is a warning: the others work. Throws a LookupTableError if nothing
 * can be launched: table missing, deactivated, foreign, or without an address that every launch names.
 */
export async function checkExchange(ground: LaunchChecks): Promise<LaunchCheckReport> {
  const tiers = await Promise.all(FEE_TIERS.map((tier) => tierOf(ground.exchange, tier)));
  const table = ground.exchange.lookupAddresses.length === 0 ? [] : await lackingPairs(ground);
  const closed = tiers.flatMap((tier) => (tier instanceof TierClosedError ? [tier.message] : []));
  const open = tiers.flatMap((tier) => (tier instanceof TierClosedError ? [] : [tier]));
  return { facts: open, warnings: [...closed, ...table] };
}

async function tierOf(exchange: LaunchChecks['exchange'], tier: FeeTier): Promise<string | TierClosedError> {
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

async function lackingPairs(ground: LaunchChecks): Promise<string[]> {
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

/** A foreign owner could deactivate the table during launches; without an authority none can. */
function assertOwn({ key, state }: AddressLookupTableAccount, owner: PublicKey | undefined): void {
  const { authority } = state;
  if (!owner || !authority || authority.equals(owner)) return;
  throw new LookupTableError(key, `belongs to ${authority.toBase58()}, not to the platform wallet ${owner.toBase58()}`);
}
