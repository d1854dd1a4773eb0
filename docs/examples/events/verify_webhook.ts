// Verifies a webhook with its secret: node verify_webhook.ts whsec_… ID TIMESTAMP SIGNATURES HANDLED < body
// HANDLED is a file with the ids that were accepted, one a line. Exit code 0: accepted; 1: refused, answer 400;
// 2: handled before, answer 200: each event comes at least once, and again until it is taken.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';

const TOLERANCE_SECONDS = 300;

interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: string;
  readonly body: Buffer;
}

function isGenuine(secret: string, { id, timestamp, signatures, body }: Received): boolean {
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const [secret = '', id = '', timestamp = '', signatures = '', handled = ''] = process.argv.slice(2);
const seen = existsSync(handled) ? readFileSync(handled, 'utf8').split('\n') : [];
const genuine = isGenuine(secret, { id, timestamp, signatures, body: await buffer(process.stdin) });
if (!genuine) process.exitCode = 1;
else if (seen.includes(id)) process.exitCode = 2;
else appendFileSync(handled, `${id}\n`);
