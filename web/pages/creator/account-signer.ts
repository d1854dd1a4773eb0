import type { Signer } from '../../../client/index.ts';

export interface AccountSigner {
  readonly signer: Signer;
  /** False from the first time that the account was seen switched, also after a switch back. */
  readonly isStill: () => boolean;
}

/** A signer that is not asked after a switch of the account, also for what was approved before. */
export function accountSigner(signer: Signer, isShown: (signer: Signer) => boolean): AccountSigner {
  let isLeft = false;
  const isStill = () => {
    isLeft ||= !isShown(signer);
    return !isLeft;
  };
  const asked = async <T>(sign: () => Promise<T>): Promise<T> => {
    if (!isStill()) throw new Error('The wallet was switched to another account before it was asked to sign.');
    return sign();
  };
  return {
    isStill,
    signer: {
      address: signer.address,
      sign: (transaction) => asked(() => signer.sign(transaction)),
      ...(signer.signAll && { signAll: (all) => asked(async () => (await signer.signAll?.(all)) ?? []) }),
    },
  };
}
