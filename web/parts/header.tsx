import { Link, useRoute } from 'wouter';
import { SITE_NAME } from '../site.ts';
import { WalletButton } from '../wallet/wallet-button.tsx';
import { ThemeButton } from './theme-button.tsx';

const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Explore'],
  ['/launch', 'Launch'],
  ['/creator', 'My launches'],
  ['/rewards', 'Rewards'],
  ['/platform', 'Platform'],
];

export function Header() {
  return (
    <header className="site-header">
      <div className="bar">
        <Link href="/" className="brand">
          <img src="/logo.svg" width={30} height={30} alt="" />
          <span>{SITE_NAME}</span>
        </Link>
        <nav aria-label="Pages of the site">
          {PAGES.map(([path, name]) => (
            <PageLink key={path} path={path} name={name} />
          ))}
        </nav>
        <div className="header-tools">
          <ThemeButton />
          <WalletButton />
        </div>
      </div>
    </header>
  );
}

function PageLink({ path, name }: { readonly path: string; readonly name: string }) {
  const [isHere] = useRoute(path);
  return (
    <Link href={path} aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  );
}
