import { chainOfProof } from './chain-of-proof.ts';
import { feeFlow } from './fee-flow.ts';
import { lifeOfALaunch } from './life-of-a-launch.ts';
import { lineOfASwap } from './line.ts';
import { partsAndRights } from './parts.ts';

export interface Picture {
  /** Its name in docs/pictures. */
  readonly file: string;
  readonly text: () => string;
}

/** Drawings that `npm run docs` writes; `npm run screenshots` makes the pictures of the site. */
export const PICTURES: readonly Picture[] = [
  { file: 'chain-of-proof.svg', text: chainOfProof },
  { file: 'fee-flow.svg', text: feeFlow },
  { file: 'life-of-a-launch.svg', text: lifeOfALaunch },
  { file: 'line.svg', text: lineOfASwap },
  { file: 'parts.svg', text: partsAndRights },
];
