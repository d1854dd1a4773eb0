import { useEffect } from 'react';
import { SITE_NAME } from '../site.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${SITE_NAME}`;
  }, [title]);
}
