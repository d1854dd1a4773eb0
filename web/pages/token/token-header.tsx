import { Link } from 'wouter';
import type { OneToken, Token } from '../../api/types.ts';
import { moment } from '../../format/texts.ts';
import { namedLinks } from '../../format/token-links.ts';
import { Badges } from '../../parts/badges.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { SimilarTo } from '../../parts/similar-to.tsx';
import { Picture } from '../../parts/picture.tsx';

/** Raydium's site trades on mainnet alone. */
const HAS_RAYDIUM_SITE: Readonly<Record<OneToken['network'], boolean>> = {
  'mainnet-beta': true,
  devnet: false,
  testnet: false,
  localnet: false,
};

export function TokenHeader({ token, network }: { readonly token: Token; readonly network: OneToken['network'] }) {
  const { mint, name, symbol, logoUrl, creator, createdAt, similarTo } = token;
  return (
    <header className="token-header">
      <Picture url={logoUrl} symbol={symbol} size={72} />
      <div className="token-name">
        <h1>
          <CreatorText>{name}</CreatorText>
        </h1>
        <p>
          <strong>
            <CreatorText>{symbol}</CreatorText>
          </strong>{' '}
          <Badges token={token} />
        </p>
        <p className="token-facts">
          <OnChain kind="address" id={mint} what="token address" letters={6} />
          <span>
            by{' '}
            <Link href={`/creator/${creator}`}>
              {creator.slice(0, 4)}…{creator.slice(-4)}
            </Link>
          </span>
          <span>{moment(createdAt)}</span>
        </p>
      </div>
      {HAS_RAYDIUM_SITE[network] && (
        <a
          className="button large"
          href={`https://raydium.io/swap/?inputMint=${token.quoteMint}&outputMint=${mint}`}
          target="_blank"
          rel="noreferrer noopener"
        >
          Buy on Raydium
        </a>
      )}
      <Links token={token} />
      {similarTo && <SimilarTo similarTo={similarTo} />}
    </header>
  );
}

function Links({ token }: { readonly token: Token }) {
  const links = [...namedLinks(token.links), ['Metadata', token.metadataUri]] as const;
  return (
    <ul className="token-links">
      {links.map(
        ([name, url]) =>
          isWeb(url) && (
            <li key={`${name} ${url}`}>
              <a href={url} target="_blank" rel="noreferrer noopener nofollow ugc">
                {name}
              </a>
            </li>
          ),
      )}
    </ul>
  );
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol);
}
