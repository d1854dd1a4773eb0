import { BASE_PATH } from '../base-path.ts';
import type { ApiConfig } from '../../config/api.ts';
import { CLIENT_PACKAGE, clientAddress, type ClientPackage } from '../../domain/client-package.ts';
import type { ApiInstance } from '../instance.ts';

/** @see https://llmstxt.org */
export function llmsGet(app: ApiInstance, { siteUrl }: Pick<ApiConfig, 'siteUrl'>, client: ClientPackage | null): void {
  const text = textOf(siteUrl) + (client === null ? '' : clientPart(clientAddress(siteUrl, client.fileName)));
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text),
  );
}

function textOf(site: string): string {
  const root = `${site}${BASE_PATH}`;
  return `# Token launch and market data

> Launches tokens on Solana without custody, serves market data about them, and lets creators claim their fees. No key and no account: what authorises a launch or a claim is the wallet's signature on the transaction that the API issued.

The API root is ${root}. A success is {"data": object, "meta": object}, a failure {"error": {code, message, retryable, retryAfterSeconds}}: branch on code, never on message. USD figures, prices and token amounts are JSON numbers; exact amounts stand beside them as decimal strings in fields that end in Raw. After 429 wait as Retry-After says.

## Documents

- [OpenAPI 3.1, every field and an example of each answer](${root}/openapi.full.json)
- [OpenAPI 3.1, short](${root}/openapi.json)
- [The same to read](${site}/docs)

## Launching a token

1. GET /pairs?launchable=true: choose a quoteMint. GET /stats: what is switched on, and every limit.
2. POST /launches/prepare: answers signedQuote, paymentTransaction (base64, unsigned) and payment.lamports. It takes nothing. A quote can be submitted until expiresAt, about 50 seconds.
3. Check the transaction: its fee payer is the creator, it has one transfer, of exactly payment.lamports to payment.to, and beside that the compute budget and one memo. Sign it with the creator's wallet alone; the platform signs last, so serialise without requiring all signatures.
4. POST /launches/submit with signedQuote, signedTransaction and the same logo. One quote is at most one launch, however often it is submitted.
5. While the status is processing, ask GET /launches/{paymentSignature} and never pay again. Only charged: false means that nothing was charged. 409 means that it is paid and an operator is at it.

## Claiming creator fees

GET /tokens/{mint}/fees, POST /tokens/{mint}/fees/claim/prepare, sign with the wallet that holds the Fee Key, POST /tokens/{mint}/fees/claim/submit. Submit the same body until landed is true or false; one intent is paid at most once. GET /wallets/{wallet} lists what a wallet can claim, and POST /wallets/{wallet}/fees/claim/prepare prepares a claim of each.

## What happened

GET /events is the log of everything, to be read by cursor. GET /wallets/{wallet}/rewards, /claims and /trades are the history of one wallet.
`;
}

function clientPart(address: string): string {
  return `
## Optional

The client does all of that from Node or a browser, and checks what it signs. It is in no public registry: install it from this address alone. Its sha512 is at [the same address with .sha512](${address}.sha512).

    npm i ${address}

It brings the module ${CLIENT_PACKAGE} and the command slipway.
`;
}
