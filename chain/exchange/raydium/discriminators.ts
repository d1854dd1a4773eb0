import { createHash } from 'node:crypto';

/** Anchor's. */
export const DISCRIMINATOR_BYTES = 8;

/** Computes sha256("global:<snake_case name>"). */
export function instructionDiscriminator(name: string): Buffer {
  return discriminator(`global:${name}`);
}

/** Computes sha256("account:<PascalCase name>"). */
export function accountDiscriminator(name: string): Buffer {
  return discriminator(`account:${name}`);
}

/** Computes sha256("event:<PascalCase name>"). */
export function eventDiscriminator(name: string): Buffer {
  return discriminator(`event:${name}`);
}

function discriminator(preimage: string): Buffer {
  return createHash('sha256').update(preimage).digest().subarray(0, DISCRIMINATOR_BYTES);
}
