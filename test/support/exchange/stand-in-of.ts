import type { ExchangeAdapter } from '../../../chain/exchange/exchange-adapter.ts';
import type { Variables } from '../../../config/environment.ts';
import { standInAdapter } from '../../../dev/stand-in/stand-in-adapter.ts';

/** The stand-in exchange with the seed of these variables. */
export const standInOf = ({ STAND_IN_SEED = '' }: Variables): ExchangeAdapter =>
  standInAdapter(Uint8Array.from(Buffer.from(STAND_IN_SEED, 'base64')));
