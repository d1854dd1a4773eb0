import type { Token } from '../../../api/types.ts';
import { CommandHint } from '../../../parts/command.tsx';
import { PotStatement } from './pot-statement.tsx';
import { SealedRounds } from './sealed-rounds.tsx';

/** Proofs of a reward coin. */
export default function ProofPanel({ token }: { readonly token: Token }) {
  return (
    <div className="proof">
      <p className="hint">
        Before a round pays anyone, its plan is sealed: a transaction on the chain names the root of the plan’s
        document. From then on no other plan can be paid unseen.
      </p>
      <SealedRounds token={token} />
      <PotStatement token={token} />
      <CommandHint />
    </div>
  );
}
