// What people do on the chain beside the page: `fund RPC_URL ADDRESS…` sends 2 SOL to each, `mint RPC_URL` makes a quote token
// and prints its mint.
import { createMint, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';

const [what = '', rpcUrl = '', ...addresses] = process.argv.slice(2);
const connection = new Connection(rpcUrl, 'confirmed');

async function fund(address: PublicKey): Promise<void> {
  const signature = await connection.requestAirdrop(address, 2 * LAMPORTS_PER_SOL);
  const { value } = await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
  if (value.err !== null) throw new Error(`the faucet's transfer failed: ${JSON.stringify(value.err)}`);
}

if (what === 'fund') {
  for (const address of addresses) await fund(new PublicKey(address));
} else {
  const issuer = Keypair.generate();
  await fund(issuer.publicKey);
  const mint = await createMint(connection, issuer, issuer.publicKey, null, 6, undefined, undefined, TOKEN_PROGRAM_ID);
  console.log(mint.toBase58());
}
