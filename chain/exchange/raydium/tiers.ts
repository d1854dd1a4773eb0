import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import type { FeeTier } from '../../../domain/token-facts.ts';
import { RpcUnavailableError } from '../../rpc/json-rpc.ts';
import type { Rpc } from '../../rpc/rpc.ts';
import type { PoolFees } from '../exchange.ts';
import { OUTERMOST_TICK } from '../opening.ts';
import { TierClosedError } from '../tier-closed.ts';
import { decodeAmmConfig } from './accounts/amm-config.ts';
import { ammConfigAddress } from './addresses.ts';
import { fitsOwnBitmap } from './tick-arrays.ts';

/** Which of Raydium's fee configurations a tier's pools are made under. */
const CONFIG_INDEX = { '1%': 3, '2%': 9 } as const satisfies Record<FeeTier, number>;

/** Trade fee that a tier promises, in ppm of the input. */
const PROMISED_FEE_PPM = { '1%': 10_000, '2%': 20_000 } as const satisfies Record<FeeTier, number>;

/** Fee configuration of a tier. */
export function configOf(tier: FeeTier): PublicKey {
  return ammConfigAddress(CONFIG_INDEX[tier]);
}

/** Reads an account at `confirmed`; null where there is none. */
export type ReadAccount = (address: PublicKey) => Promise<AccountInfo<Buffer> | null>;

/** As one endpoint has it. */
export function accountAt(connection: Connection): ReadAccount {
  return (address) => connection.getAccountInfo(address, 'confirmed');
}

/** As a quorum of endpoints has it. Rejects with an RpcUnavailableError where none has. */
export function agreedAccount(rpc: Pick<Rpc, 'accountTestimonies'>): ReadAccount {
  return async (address) => {
    const key = address.toBase58();
    const said = await rpc.accountTestimonies([key], 'confirmed');
    const account = said.agreed(key, (found) => found && { ...found, owner: found.owner.toBase58(), lamports: 0 });
    if (account === undefined) throw new RpcUnavailableError(`no quorum of RPC endpoints has the same account ${key}`);
    return account && { ...account, owner: new PublicKey(account.owner) };
  };
}

/**
 * Reads a tier's rates from the chain. Throws a TierClosedError when there is no such configuration, or when Raydium has
 * changed it so that it is no longer the tier that is offered.
 */
export async function readTierFees(read: ReadAccount, tier: FeeTier): Promise<PoolFees> {
  const address = configOf(tier);
  const account = await read(address);
  if (!account) throw new TierClosedError(tier, `there is no configuration ${address.toBase58()}`);
  const { fees } = decodeAmmConfig(address, account);
  if (fees.feePpm !== PROMISED_FEE_PPM[tier]) {
    throw new TierClosedError(tier, `its configuration ${address.toBase58()} takes ${fees.feePpm} ppm`);
  }
  if (OUTERMOST_TICK % fees.tickSpacing !== 0 || !fitsOwnBitmap(fees.tickSpacing, OUTERMOST_TICK)) {
    throw new TierClosedError(tier, `launches do not fit a tick spacing of ${fees.tickSpacing}`);
  }
  return fees;
}
