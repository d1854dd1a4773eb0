import bs58 from 'bs58';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');

const ADDRESS_BYTES = 32;

/** 58^5 is the largest power that, times 65,536, is exact in a double; nine limbs hold 32 bytes. */
const [LIMB, LIMBS, DIGITS_OF_LIMB] = [58 ** 5, 9, 5];

/** Address and space. */
const WIDTH = 45;

export function addressTexts(addresses: Uint8Array): string {
  const count = addresses.length / ADDRESS_BYTES;
  const text = Buffer.allocUnsafe(count * WIDTH);
  const limbs = new Float64Array(LIMBS);
  const digits = new Uint8Array(LIMBS * DIGITS_OF_LIMB);
  let end = 0;
  for (let index = 0; index < count; index++) {
    const address = addresses.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES);
    if (index > 0) text[end++] = 0x20;
    // A leading zero byte is its own digit.
    if (address[0] === 0) {
      end += text.write(bs58.encode(address), end, 'latin1');
      continue;
    }
    writeDigits(address, limbs, digits);
    const first = digits.findIndex((digit) => digit > 0);
    for (let at = first; at < digits.length; at++) text[end++] = ALPHABET[digits[at]!]!;
  }
  return text.toString('latin1', 0, end);
}

function writeDigits(address: Uint8Array, limbs: Float64Array, digits: Uint8Array): void {
  limbs.fill(0);
  for (let at = 0; at < ADDRESS_BYTES; at += 2) {
    let carry = address[at]! * 256 + address[at + 1]!;
    for (let limb = LIMBS - 1; limb >= 0; limb--) {
      const value = limbs[limb]! * 65_536 + carry;
      carry = Math.floor(value / LIMB);
      limbs[limb] = value - carry * LIMB;
    }
  }
  for (let limb = 0; limb < LIMBS; limb++) {
    let rest = limbs[limb]!;
    for (let at = (limb + 1) * DIGITS_OF_LIMB - 1; at >= limb * DIGITS_OF_LIMB; at--) {
      const next = Math.floor(rest / 58);
      digits[at] = rest - next * 58;
      rest = next;
    }
  }
}
