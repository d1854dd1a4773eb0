import { randomUUID } from 'node:crypto';
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { buildDelivery } from '../../chain/airdrop/delivery.ts';
import { createKeypairSigner } from '../../chain/signers/keypair-signer.ts';
import { MEMO_PROGRAM_ID } from '../../chain/transactions/memo.ts';
import { RECIPIENTS_PER_BATCH } from '../../domain/airdrop/airdrop.ts';
import { sizedStamp } from '../support/lanes/stamps.ts';

/** Bytes of a transaction that a node takes (`PACKET_DATA_SIZE`). */
const MOST_BYTES = 1_232;

describe('a full batch of an airdrop', () => {
  it.each([
    ['Token-2022', TOKEN_2022_PROGRAM_ID, RECIPIENTS_PER_BATCH],
    ['the classic program', TOKEN_PROGRAM_ID, 0],
  ])(
    'of %s has a memo for each recipient that may require one, whatever its account says now, and fits',
    async (_what, tokenProgram, memos) => {
      const escrow = createKeypairSigner('test', Keypair.generate());
      const token = { mint: Keypair.generate().publicKey, decimals: 6, tokenProgram };
      const shares = Array.from({ length: RECIPIENTS_PER_BATCH }, () => ({
        wallet: Keypair.generate().publicKey.toBase58(),
        amountRaw: 10n ** 15n,
      }));
      const blockhash = Keypair.generate().publicKey.toBase58();
      const stamp = await sizedStamp(escrow, blockhash, `airdrop/${randomUUID()}/1000`);
      const { wire } = await buildDelivery({ stamp, shares, token, escrow, computeUnitPrice: 100_000n });
      const { message } = VersionedTransaction.deserialize(wire);
      const found = message.compiledInstructions.filter(
        ({ programIdIndex, data }) =>
          message.staticAccountKeys[programIdIndex]?.equals(MEMO_PROGRAM_ID) === true &&
          Buffer.from(data).toString() === 'air',
      );
      expect(found).toHaveLength(memos);
      expect(wire.length).toBeLessThanOrEqual(MOST_BYTES);
    },
  );
});
