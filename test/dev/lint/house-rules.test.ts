import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import house from '../../../dev/lint/house-rules.ts';

RuleTester.describe = (name, define) => void describe(name, define);
RuleTester.it = (name, check) => void it(name, check);

const tester = new RuleTester({ languageOptions: { sourceType: 'module', parserOptions: { lang: 'ts' } } });

/** A rule reports each of `wrong` once, and none of `right`. */
function check(name: keyof typeof house.rules, wrong: readonly string[], right: readonly string[]) {
  tester.run(name, house.rules[name], { valid: [...right], invalid: wrong.map((code) => ({ code, errors: 1 })) });
}

check(
  'no-empty-catch',
  ['try { a(); } catch {}', 'try { a(); } catch (error) { /* too bad */ }'],
  ['try { a(); } catch (error) { tell(error); }'],
);
check(
  'no-spread-literal',
  [
    'a = { ...{ b } };',
    'a = [...[b]];',
    'a(...[b]);',
    'new A(...[b]);',
    'a = [...([b] as B[])];',
    'a = { ...({ b } satisfies B) };',
  ],
  ['a = { ...b };', 'a = { ...(b ? { c } : {}) };'],
);
check(
  'bounded-fetch',
  [
    'fetch(url);',
    'a = fetchWith ?? fetch;',
    'function f({ fetch: fetchWith = fetch }) { return fetchWith; }',
    'globalThis.fetch(url);',
    'new EventSource(url);',
  ],
  ['fetchBounded(url, {}, bounds);', 'type A = typeof fetch;', 'api = createApi({ fetch: keeping });'],
);
check(
  'one-printer',
  ['process.stdout.write(text);', 'const { write } = process.stderr;', 'console.log(text);'],
  ['print(result, true, []);', 'io.write(text);', 'process.exitCode = 1;'],
);
check(
  'export-type',
  ["export { type A } from 'a';", "export { type A, type B } from 'a';"],
  ["export type { A } from 'a';", "export { type A, b } from 'a';", 'export {};', 'export const a = 1;'],
);
check(
  'error-text',
  ['a = error instanceof Error ? error.message : String(error);'],
  ['a = errorText(error);', 'a = error instanceof Failure ? error.message : String(error);'],
);
check(
  'no-spot-price',
  ['a = await prices.spotUsd(mint);', 'const ask = prices.spotUsd;', 'const { spotUsd } = prices;'],
  ['a = await spendablePrices.of(mint);', 'a = price.usd;', 'const prices = { spotUsd: () => price };'],
);
check(
  'token-balance',
  [
    "import { unpackAccount } from '@solana/spl-token';",
    "import { AccountLayout as Layout } from '@solana/spl-token';",
    'held = await connection.getTokenAccountBalance(account);',
  ],
  ["import { readBalance } from '../tokens/token-balance.ts';", 'a = account.amount;'],
);
check(
  'sign-checked',
  [
    'transaction.sign([key]);',
    'transaction.addSignature(key, bytes);',
    'signer.sign(bytes);',
    'transaction.partialSign(key);',
  ],
  ['signTransaction(transaction, [key]);', 'signMovement(stamp, transaction, [key]);'],
);
check(
  'agreed-lookup-tables',
  ['connection.getAddressLookupTable(key);', 'a = new AddressLookupTableAccount({ key, state });'],
  ['agreedLookupTablesAt(rpc, addresses);'],
);
check(
  'peer-address',
  ['a = request.ip;', 'const { id, ip } = request;', 'a = { keyGenerator: ({ ip }) => ip };'],
  ['a = peerAddressOf(request);', 'const { id } = request;', 'log({ ip });'],
);
check('end-socket', ['socket.end(answer);', 'clientSocket.end();'], ['endSocket(socket, answer);', 'reply.end();']);
check(
  'bounded-server',
  ["import { createServer } from 'node:http';", "import { createServer as make, type Server } from 'http';"],
  ["import { createServer } from 'node:net';", "import type { Server } from 'node:http';"],
);
check(
  'quorum-replies',
  ['a = await endpoints.promptReplies(ask);', 'const { promptReplies } = endpoints;'],
  ['a = await endpoints.quorumReplies(ask, { graceMs });'],
);
check(
  'proven-absence',
  [
    'a = await rpc.historyOf(b);',
    'a = await deps.rpc.signatureStatuses([b]);',
    'const { agreedTransaction } = rpc;',
    "import { askHistory } from './history.ts';",
    'connection.getSignaturesForAddress(b);',
  ],
  ['a = await rpc.wholeHistoryOf(b, { sinceSlot });', 'a = await rpc.landedSince(b, span);', 'a.historyOf;'],
);
