import { lazy, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Footer } from './parts/footer.tsx';
import { Header } from './parts/header.tsx';
import { Waiting } from './parts/answered.tsx';
import { LostPart } from './parts/lost-part.tsx';
import { ExplorePage } from './pages/explore/explore-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import TokenPage from './pages/token/token-page.tsx';

// Others load on demand.
const LaunchPage = lazy(() => import('./pages/launch/launch-page.tsx'));
const CreatorPage = lazy(() => import('./pages/creator/creator-page.tsx'));
const RewardsPage = lazy(() => import('./pages/rewards/rewards-page.tsx'));
const WalletPage = lazy(() => import('./pages/wallet/wallet-page.tsx'));
const PlatformPage = lazy(() => import('./pages/platform/platform-page.tsx'));

export function App() {
  const [path] = useLocation();
  useEffect(() => {
    scrollTo(0, 0);
  }, [path]);
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <LostPart place={path}>
          <Suspense fallback={<Waiting rows={6} />}>
            <Pages />
          </Suspense>
        </LostPart>
      </main>
      <Footer />
    </>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={ExplorePage} />
      <Route path="/tokens/:mint">{({ mint }) => <TokenPage key={mint} mint={mint} />}</Route>
      <Route path="/launch" component={LaunchPage} />
      <Route path="/creator">{() => <CreatorPage />}</Route>
      <Route path="/creator/:wallet">{({ wallet }) => <CreatorPage wallet={wallet} />}</Route>
      <Route path="/rewards">{() => <RewardsPage />}</Route>
      <Route path="/rewards/:wallet">{({ wallet }) => <RewardsPage wallet={wallet} />}</Route>
      <Route path="/wallet/:wallet">{({ wallet }) => <WalletPage key={wallet} wallet={wallet} />}</Route>
      <Route path="/platform" component={PlatformPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}
