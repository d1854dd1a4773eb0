import { LAMPORTS_PER_SOL, number } from '../../web/format/numbers.ts';
import { useWallet } from '../../web/wallet/wallet-context.ts';
import { useHoldings } from './use-holdings.ts';

/** Its space stays reserved: a click never hits a moved button. */
export function Balance({ lamports }: { readonly lamports: number }) {
  const { signer } = useWallet();
  const held = useHoldings(signer?.address ?? '').data?.sol;
  const isTooLittle = Number(held) * Number(LAMPORTS_PER_SOL) < lamports;
  return (
    <p className="hint balance" role="status">
      {held !== undefined && `Your wallet holds ${number(Number(held))} SOL`}
      {held !== undefined && (isTooLittle ? <strong className="down">, which is less than that.</strong> : '.')}
    </p>
  );
}
