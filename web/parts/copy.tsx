import { useState } from 'react';
import { short } from '../format/texts.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

/** Copies the text; the first value is true for a moment afterwards. */
export function useCopy(text: string): readonly [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, SHOWN_MS);
  };
  return [copied, () => void copy()];
}

export function Copy({
  text,
  what,
  letters = 4,
}: {
  readonly text: string;
  readonly what: string;
  readonly letters?: number;
}) {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className="copy" onClick={copy} title={text}>
      <span className="sr-only">Copy {what} </span>
      <code>{short(text, letters)}</code>
      <Icon name={copied ? 'done' : 'copy'} />
      <span className="sr-only" role="status">
        {copied ? 'copied' : ''}
      </span>
    </button>
  );
}
