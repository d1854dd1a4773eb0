import { useEffect, useState } from 'react';

/** Address of a text file in this browser; null at first. */
export function useDownload(text: string): string | null {
  const [href, setHref] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setHref(url);
    return () => {
      URL.revokeObjectURL(url);
    };
  }, [text]);
  return href;
}
