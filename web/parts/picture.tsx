import { useState } from 'react';
import { isOwnImage } from '../site.ts';

/** Shows the picture, or the first letter; the name is beside it, so no alt text. */
export function Picture({
  url,
  symbol,
  size = 40,
}: {
  readonly url: string | null;
  readonly symbol: string;
  readonly size?: number;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  if (url === null || url === failed || !isOwnImage(url)) {
    return (
      <span className="picture letter" style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden="true">
        {[...symbol][0]?.toUpperCase() ?? '?'}
      </span>
    );
  }
  return (
    <img
      className="picture"
      src={url}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => {
        setFailed(url);
      }}
    />
  );
}
