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

const CONFIG_INDEX = { '1%': 3, '2%': 9 } as const satisfies Record<FeeTier, number>;

/** ppm of the input. */
const PROMISED_FEE_PPM = { '1%': 10_000, '2%': 20_000 } as const satisfies Record<FeeTier, number>;

export function configOf(tier: FeeTier): PublicKey {
  return ammConfigAddress(CONFIG_INDEX[tier]);
}

/** Reads an account at `confirmed`. */
export type ReadAccount = (address: PublicKey) => Promise<AccountInfo<Buffer> | null>;

export function accountAt(connection: Connection): ReadAccount {
  return (address) => connection.getAccountInfo(address, 'confirmed');
}

/** Rejects with an RpcUnavailableError without a quorum. */
export function agreedAccount(rpc: Pick<Rpc, 'accountsByEndpoint'>): ReadAccount {
  return async (address) => {
    const key = address.toBase58();
    const said = await rpc.accountsByEndpoint([key], 'confirmed');
    const account = said.agreed(key, (found) => found && { ...found, owner: found.owner.toBase58(), lamports: 0 });
    if (account === undefined) throw new RpcUnavailableError(`no quorum of RPC endpoints has the same account ${key}`);
    return account && { ...account, owner: new PublicKey(account.owner) };
  };
}

/** Throws a TierClosedError if the configuration is missing or differs from the offer. */
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
