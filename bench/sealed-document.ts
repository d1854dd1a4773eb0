/** Bytes, seconds, memory. node --expose-gc bench/sealed-document.ts [holders] */
import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { packDocument } from '../db/proof/pack-document.ts';
import { documentLines } from '../domain/proof/lines.ts';
import { roundDocument } from '../domain/reward/round-document.ts';

const holders = Number(process.argv[2] ?? 168_000);
const owners = Array.from({ length: holders }, () => bs58.encode(randomBytes(32)));
const balances = new Map(owners.map((owner, index) => [owner, 10n ** 15n + BigInt(index)]));
const payouts = owners.map((owner, index) => {
  return { owner, kind: 'holder' as const, n: 5 + Math.floor(index / 14), amountRaw: 1_000_000n, rentRaw: 0n };
});

globalThis.gc?.();
const before = process.memoryUsage().rss;
let most = before;
const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
const begun = performance.now();
const observations = [balances, balances, balances];
const { head, rows } = roundDocument({ facts: {}, observations, payouts, leftOut: [], otherAccounts: new Map() });
const packed = await packDocument(documentLines(head, rows));
clearInterval(watch);
const stored = packed.parts.reduce((sum, part) => sum + part.length, 0);
console.log(
  `${holders} holders: ${packed.byteCount} bytes, ${stored} stored, ${((performance.now() - begun) / 1_000).toFixed(1)} s, ` +
    `${Math.round((most - before) / 1_000_000)} MB more`,
);
