import { Link } from 'wouter';
import { short } from '../format/texts.ts';

/** Shows an address that leads to what its wallet launched, earned, was paid and traded. */
export function WalletLink({ wallet, letters = 4 }: { readonly wallet: string; readonly letters?: number }) {
  return (
    <Link href={`/wallet/${wallet}`} title={wallet}>
      <code>{short(wallet, letters)}</code>
    </Link>
  );
}
