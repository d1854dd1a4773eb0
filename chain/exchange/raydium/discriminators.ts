import { createHash } from 'node:crypto';

/** Bytes in front of every instruction, account and event of an Anchor program. */
export const DISCRIMINATOR_BYTES = 8;

/** What an instruction's data begins with: the first eight bytes of sha256("global:<snake_case name>"). */
export function instructionDiscriminator(name: string): Buffer {
  return discriminator(`global:${name}`);
}

/** What an account's data begins with: the first eight bytes of sha256("account:<PascalCase name>"). */
export function accountDiscriminator(name: string): Buffer {
  return discriminator(`account:${name}`);
}

/** What an event in a transaction's logs begins with: the first eight bytes of sha256("event:<PascalCase name>"). */
export function eventDiscriminator(name: string): Buffer {
  return discriminator(`event:${name}`);
}

function discriminator(preimage: string): Buffer {
  return createHash('sha256').update(preimage).digest().subarray(0, DISCRIMINATOR_BYTES);
}
