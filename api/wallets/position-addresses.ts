import { PublicKey } from '@solana/web3.js';
import type { PositionAddresses } from '../../chain/exchange/position-fees.ts';
import type { WalletPosition } from '../../db/claim/wallet-positions.ts';

export function positionAddresses({ mint, quoteMint, pool, feeKeyMint }: WalletPosition): PositionAddresses {
  return {
    mint: new PublicKey(mint),
    quoteMint: new PublicKey(quoteMint),
    pool: new PublicKey(pool),
    feeKeyMint: new PublicKey(feeKeyMint),
  };
}
