import { PublicKey } from '@solana/web3.js';
import { buildNonceAccount, nonceAddress, nonceRent, readNonce } from '../../chain/claim/nonce-account.ts';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import { noncePurpose } from '../../domain/claim/purpose.ts';
import type { ClaimDeps } from './deps.ts';
import { moveOnce } from '../money/move-once.ts';

export type ClaimNonceActivities = ReturnType<typeof createClaimNonceActivities>;

export function createClaimNonceActivities(deps: ClaimDeps) {
  return {
    /** Returns the address of the finalized account. */
    async makeClaimNonce(mint: string): Promise<string> {
      const { platform, rpc, settings } = deps;
      const { computeUnitPrice } = settings;
      const account = await addressOf(deps, mint);
      const isMade = async () => (await readNonce(rpc, new PublicKey(account))) !== null;
      const rent = (await isMade()) ? 0n : await nonceRent(rpc);
      const moved = await moveOnce(deps, {
        purpose: noncePurpose(account),
        payer: platform.publicKey,
        lamports: rent,
        assertDue: (tx) => claimNonces.lockDue(tx, account),
        build: async (stamp) => {
          if (await isMade()) return null;
          return buildNonceAccount({ platform, mint: new PublicKey(mint), stamp, computeUnitPrice }, rent);
        },
      });
      deps.logger.info({ mint, nonceAccount: account, signature: moved?.signature }, 'claim nonce is there');
      return account;
    },

    /** Waits until the account has this authority, records it and returns its address. */
    async awaitClaimNonce(mint: string): Promise<string> {
      const account = await addressOf(deps, mint);
      const authority = deps.platform.publicKey.toBase58();
      while ((await readNonce(deps.rpc, new PublicKey(account)))?.authority !== authority) {
        deps.heartbeat();
        await deps.sleep(deps.settings.pollMs);
      }
      await claimNonces.put(deps.db, { mint, nonceAccount: account, authority });
      return account;
    },
  };
}

async function addressOf({ platform }: ClaimDeps, mint: string): Promise<string> {
  return (await nonceAddress(platform.publicKey, new PublicKey(mint))).toBase58();
}
