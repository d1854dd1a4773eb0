// Launches, claims and reads with the types that openapi-typescript generated, openapi-fetch, and web3.js.
//
// Arguments: `launch` API KEY_FILE QUOTE_MINT LOGO, `claim` API KEY_FILE MINT, `read` API MINT SIGNATURE WALLET
// QUOTE_MINT. Prints one JSON document.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, Transaction } from '@solana/web3.js';
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

type Api = ReturnType<typeof createClient<paths>>;

/** The data of an answer of the 200 kind. */
function good<Data>({ data, error }: { data?: { data: Data } | undefined; error?: unknown }): Data {
  if (data === undefined) throw new Error(`answered ${JSON.stringify(error)}`);
  return data.data;
}

const keyOf = (file: string) => Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));

/** Signs as one of two signers; the platform's place stays empty. */
function signed(text: string, wallet: Keypair): string {
  const transaction = Transaction.from(Buffer.from(text, 'base64'));
  transaction.partialSign(wallet);
  return transaction.serialize({ requireAllSignatures: false }).toString('base64');
}

async function launch(api: Api, keyFile: string, quoteMint: string, logo: string) {
  const wallet = keyOf(keyFile);
  const creatorWallet = wallet.publicKey.toBase58();
  const wish = { creatorWallet, quoteMint, name: 'Generated', symbol: 'GEN', logo };
  const { signedQuote, paymentTransaction } = good(await api.POST('/launches/prepare', { body: wish }));
  const body = { signedQuote, signedTransaction: signed(paymentTransaction, wallet), logo };
  let submitted: { status: string; paymentSignature: string; mint?: string } = good(
    await api.POST('/launches/submit', { body }),
  );
  while (submitted.status === 'processing') {
    await sleep(1_000);
    const path = { paymentSignature: submitted.paymentSignature };
    submitted = good(await api.GET('/launches/{paymentSignature}', { params: { path } }));
  }
  return { mint: submitted.mint, signature: submitted.paymentSignature };
}

async function claim(api: Api, keyFile: string, mint: string) {
  const wallet = keyOf(keyFile);
  const creatorWallet = wallet.publicKey.toBase58();
  const params = { path: { mint } };
  const { claimable } = good(await api.GET('/tokens/{mint}/fees', { params }));
  const prepared = good(await api.POST('/tokens/{mint}/fees/claim/prepare', { params, body: { creatorWallet } }));
  const { intentId, transaction } = prepared;
  const body = { creatorWallet, intentId, signedTransaction: signed(transaction, wallet) };
  for (;;) {
    const { landed, signature } = good(await api.POST('/tokens/{mint}/fees/claim/submit', { params, body }));
    if (landed !== undefined) return { signature, raw: claimable?.quote.amountRaw };
    await sleep(1_000);
  }
}

/** Calls every path that reads; `{path: HTTP status}`. */
async function read(api: Api, mint: string, paymentSignature: string, wallet: string, quoteMint: string) {
  const params = { path: { mint } };
  const ofWallet = { params: { path: { wallet } } };
  const answers = [
    await api.GET('/tokens'),
    await api.GET('/tokens/{mint}', { params }),
    await api.GET('/tokens/{mint}/candles', { params }),
    await api.GET('/tokens/{mint}/trades', { params }),
    await api.GET('/tokens/{mint}/holders', { params }),
    await api.GET('/tokens/{mint}/airdrop', { params }),
    await api.GET('/tokens/{mint}/burns', { params }),
    await api.GET('/tokens/{mint}/rewards', { params }),
    await api.GET('/tokens/{mint}/rewards/rounds', { params }),
    await api.GET('/tokens/{mint}/rewards/rounds/{number}/left-out', { params: { path: { mint, number: 1 } } }),
    await api.GET('/tokens/{mint}/fees', { params }),
    await api.GET('/launches'),
    await api.GET('/launches/{paymentSignature}', { params: { path: { paymentSignature } } }),
    await api.GET('/launches/{paymentSignature}/receipt', { params: { path: { paymentSignature } } }),
    await api.GET('/pairs'),
    await api.GET('/rewards'),
    await api.GET('/revenue'),
    await api.GET('/revenue/history'),
    await api.GET('/stats'),
    await api.GET('/events'),
    await api.GET('/tokens/{mint}/rewards/statement', { params }),
    await api.GET('/platform/wallets'),
    await api.GET('/platform/log'),
    await api.GET('/platform/statement', { params: { query: { quoteMint } } }),
    await api.GET('/wallets/{wallet}', ofWallet),
    await api.GET('/wallets/{wallet}/rewards', ofWallet),
    await api.GET('/wallets/{wallet}/claims', ofWallet),
    await api.GET('/wallets/{wallet}/trades', ofWallet),
  ];
  return Object.fromEntries(answers.map(({ response }) => [new URL(response.url).pathname, response.status]));
}

const [what, url, first = '', second = '', third = '', fourth = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url ?? '' });
const done =
  what === 'launch'
    ? launch(api, first, second, third)
    : what === 'claim'
      ? claim(api, first, second)
      : read(api, first, second, third, fourth);
console.log(JSON.stringify(await done));
