import type { Connection, PublicKey } from '@solana/web3.js';

/**
 * Whether this transaction is a refund as its creator would know one: the launch wallet signed it, and the creator has more
 * lamports after it than before. Throws for a signature that the chain does not have.
 */
export async function gaveBack(
  connection: Connection,
  signature: string,
  { launchWallet, creator }: { readonly launchWallet: PublicKey; readonly creator: PublicKey },
): Promise<boolean> {
  const landed = await connection.getParsedTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  if (!landed?.meta) throw new Error(`${signature} is not on the chain`);
  const { preBalances, postBalances } = landed.meta;
  const accounts = landed.transaction.message.accountKeys;
  const place = accounts.findIndex(({ pubkey }) => pubkey.equals(creator));
  const isOfWallet = accounts.some(({ pubkey, signer }) => signer && pubkey.equals(launchWallet));
  return isOfWallet && place >= 0 && (postBalances[place] ?? 0) > (preBalances[place] ?? 0);
}
