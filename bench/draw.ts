/** Wake-ups of a worker, blocks of a verifier, and how moments spread. node bench/draw.ts [rounds] */
import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { candidateSlots, isDrawn } from '../domain/reward/draw.ts';
import { quantile } from './statistics.ts';

const rounds = Number(process.argv[2] ?? 20_000);
const mint = bs58.encode(randomBytes(32));

for (const slots of [3_000, 6_000]) {
  const { length } = candidateSlots({ slot: 0, slots }, 0);
  let last = 0;
  const looks = Array.from({ length: rounds }, () =>
    [0, 1, 2].reduce((sum, n) => {
      let index = 0;
      while (index < length - 1 && !isDrawn({ blockhash: bs58.encode(randomBytes(32)) }, mint, n, length)) index += 1;
      if (index === length - 1) last += 1;
      return sum + index + 1;
    }, 0),
  );
  const mean = looks.reduce((sum, one) => sum + one, 0) / rounds;
  const share = ((100 * last) / (3 * rounds)).toFixed(1);
  console.log(
    `windows of ${slots} slots: ${length} candidates a part; blocks a round, and looks of its worker: mean ` +
      `${mean.toFixed(1)}, p99 ${quantile(looks, 0.99)}, at most ${3 * length}; ${share} % at the last candidate`,
  );
}
