import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { short } from '../format/texts.ts';
import { Notice } from '../parts/answered.tsx';
import { Icon } from '../parts/icon.tsx';
import { Copy } from '../parts/copy.tsx';
import { type OfferedWallet, useWallet } from './wallet-context.ts';

export function WalletButton({ label = 'Connect' }: { readonly label?: string }) {
  const { signer } = useWallet();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <>
      <button type="button" className={signer ? 'button quiet' : 'button'} onClick={() => dialog.current?.showModal()}>
        {signer ? <code>{short(signer.address)}</code> : label}
      </button>
      <dialog ref={dialog} className="sheet" aria-labelledby="wallets-title" closedby="any">
        <div className="sheet-head">
          <h2 id="wallets-title">{signer ? 'Your wallet' : 'Connect a wallet'}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {signer ? <ConnectedWallet onDone={close} /> : <OfferedWallets onDone={close} />}
      </dialog>
    </>
  );
}

function ConnectedWallet({ onDone }: { readonly onDone: () => void }) {
  const { signer, walletName, disconnect } = useWallet();
  return (
    <>
      <p>
        {walletName}: {signer && <Copy text={signer.address} what="address" letters={8} />}
      </p>
      {signer && (
        <Link className="button quiet" href={`/wallet/${signer.address}`} onClick={onDone}>
          Its page
        </Link>
      )}
      <button
        type="button"
        className="button quiet"
        onClick={() => {
          disconnect();
          onDone();
        }}
      >
        Disconnect
      </button>
    </>
  );
}

function OfferedWallets({ onDone }: { readonly onDone: () => void }) {
  const { offered, connect } = useWallet();
  const [refusal, setRefusal] = useState<string | null>(null);
  const choose = async (wallet: OfferedWallet) => {
    try {
      await connect(wallet);
      onDone();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : `${wallet.name} did not connect`);
    }
  };
  return (
    <>
      {refusal !== null && <Notice kind="warn">Not connected: {refusal}</Notice>}
      {offered.length === 0 && (
        <p>
          No Solana wallet was found in this browser. Install one that can sign transactions, then load this page again.
        </p>
      )}
      <ul className="wallets">
        {offered.map((wallet) => (
          <li key={wallet.name}>
            <button type="button" className="wallet" onClick={() => void choose(wallet)}>
              {wallet.icon === null ? (
                <span className="picture letter">{wallet.name[0]}</span>
              ) : (
                <img src={wallet.icon} width={32} height={32} alt="" />
              )}
              <span>
                {wallet.name}
                {wallet.note !== undefined && <small>{wallet.note}</small>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
