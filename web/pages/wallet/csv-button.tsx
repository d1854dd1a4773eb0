import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../parts/answered.tsx';
import { type CsvList, saveText, walletCsv } from './wallet-csv.ts';

interface CsvProps {
  readonly wallet: string;
  /** Last part of the list's path. */
  readonly list: CsvList;
  readonly label: string;
}

export function CsvButton({ wallet, list, label }: CsvProps) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const left = useRef<AbortController>(null);
  // Reading ends when the page is left or shows another wallet.
  useEffect(() => {
    const leaving = new AbortController();
    left.current = leaving;
    setLoading(false);
    setError(null);
    return () => leaving.abort();
  }, [wallet]);
  const save = async () => {
    const signal = left.current?.signal;
    if (!signal) return;
    setLoading(true);
    setError(null);
    try {
      saveText(`${list}-${wallet}.csv`, await walletCsv(wallet, list, signal));
    } catch (cause) {
      if (signal.aborted) return;
      setError(cause instanceof Error ? cause : new Error('of an unknown error'));
    }
    setLoading(false);
  };
  return (
    <>
      <button type="button" className="button quiet" disabled={isLoading} onClick={() => void save()}>
        {isLoading ? 'Reading …' : label}
      </button>
      {error && <Notice kind="warn">The list was not read: {error.message}</Notice>}
    </>
  );
}
