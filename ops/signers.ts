import { openSigner } from '../chain/signers/open-signer.ts';
import { type Signer, SignerError } from '../chain/signers/signer.ts';
import { ConfigError } from '../config/environment.ts';
import { readSigner, type SignerRole } from '../config/signers.ts';
import { OpsError, type OpsIo } from './io.ts';

/** Opens the signer of PLATFORM_SIGNER and PLATFORM_SECRET_KEY. Throws an OpsError. */
export const openPlatformSigner = (io: OpsIo): Promise<Signer> => open(io, 'platform');

/** Opens the signer of TREASURY_SIGNER and TREASURY_SECRET_KEY. Throws an OpsError. */
export const openTreasurySigner = (io: OpsIo): Promise<Signer> => open(io, 'treasury');

/** Opens the treasury's signer; undefined where neither variable is set. Throws an OpsError. */
export async function findTreasurySigner(io: OpsIo): Promise<Signer | undefined> {
  const isSet = io.env['TREASURY_SIGNER'] || io.env['TREASURY_SECRET_KEY'];
  return isSet ? openTreasurySigner(io) : undefined;
}

/** Opens a treasury's signer by a text as TREASURY_SIGNER has it, but `env`. Throws an OpsError. */
export function openFormerTreasury(text: string): Promise<Signer> {
  return openFrom({ TREASURY_SIGNER: text }, 'treasury');
}

const open = ({ env }: OpsIo, role: SignerRole): Promise<Signer> => openFrom(env, role);

async function openFrom(env: OpsIo['env'], role: SignerRole): Promise<Signer> {
  try {
    return await openSigner(role, readSigner(env, role));
  } catch (error) {
    if (error instanceof SignerError || error instanceof ConfigError) {
      throw new OpsError(`this needs the key of the ${role} wallet; ${error.message}`, { cause: error });
    }
    throw error;
  }
}
