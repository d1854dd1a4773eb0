import { openSigner } from '../chain/signers/open-signer.ts';
import { type Signer, SignerError } from '../chain/signers/signer.ts';
import { ConfigError } from '../config/environment.ts';
import { readPlatformSigner } from '../config/signers.ts';
import { OpsError, type OpsIo } from './io.ts';

/** Opens the signer of PLATFORM_SIGNER and PLATFORM_SECRET_KEY. Throws an OpsError. */
export async function openPlatformSigner({ env }: OpsIo): Promise<Signer> {
  try {
    return await openSigner('platform', readPlatformSigner(env));
  } catch (error) {
    if (error instanceof SignerError || error instanceof ConfigError) {
      throw new OpsError(`this signs with the platform wallet; ${error.message}`, { cause: error });
    }
    throw error;
  }
}
