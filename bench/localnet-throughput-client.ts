import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { Pool } from 'undici';

const PAYERS = 64;
const CONCURRENCY = 64;
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const [, , rpcUrl = '', loadMs = '10000'] = process.argv;
const pool = new Pool(rpcUrl, { connections: CONCURRENCY });

async function call(method: string, params: unknown[]): Promise<{ result?: unknown; error?: { message: string } }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { body: answer } = await pool.request({
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await answer.json()) as { result?: unknown; error?: { message: string } };
}

function keyOf(payer: Keypair): KeyObject {
  const key = Buffer.concat([PKCS8_PREFIX, payer.secretKey.subarray(0, 32)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** Amounts differ, so transfers do. */
function transfer(payer: Keypair, key: KeyObject, recentBlockhash: string, lamports: number): string {
  const instruction = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports });
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions: [instruction] });
  const transaction = new VersionedTransaction(message.compileToLegacyMessage());
  const signature = sign(null, transaction.message.serialize(), key);
  transaction.addSignature(payer.publicKey, signature);
  return Buffer.from(transaction.serialize()).toString('base64');
}

async function latestBlockhash(): Promise<string> {
  const { result } = await call('getLatestBlockhash', [{ commitment: 'confirmed' }]);
  return (result as { value: { blockhash: string } }).value.blockhash;
}

const recipient = Keypair.generate().publicKey;
const payers = Array.from({ length: PAYERS }, () => Keypair.generate());
const keys = payers.map(keyOf);
for (const payer of payers) await call('requestAirdrop', [payer.publicKey.toBase58(), 10_000_000_000]);

let blockhash = await latestBlockhash();
const refresh = setInterval(() => {
  void latestBlockhash().then((fresh) => (blockhash = fresh));
}, 5_000);

const started = performance.now();
let sent = 0;
let refused = 0;

async function sendUntilTimeIsUp(): Promise<void> {
  while (performance.now() - started < Number(loadMs)) {
    const turn = sent++;
    const [payer, key] = [payers[turn % PAYERS], keys[turn % PAYERS]];
    if (!payer || !key) throw new Error(`no payer ${turn % PAYERS}`);
    const wire = transfer(payer, key, blockhash, 1_000_000 + turn);
    const { error } = await call('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
    if (error) refused += 1;
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilTimeIsUp));
clearInterval(refresh);
await pool.close();
process.send?.({ sent, refused, airdrops: PAYERS, ms: Math.round(performance.now() - started) });
process.disconnect?.();
