import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ExtensionContext, type SiteExtension } from './extension.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/proof.css';
import { applyTheme } from './parts/theme.ts';
import { takeTurn } from './parts/turn.tsx';
import { WalletProvider } from './wallet/wallet-provider.tsx';

export function renderSite(extension: SiteExtension = {}): void {
  applyTheme();
  // Queries poll anyway. `always`: also without a network, else nothing would say that data is old.
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 1_000, networkMode: 'always' } },
  });
  const place = document.getElementById('app');
  if (!place) throw new Error('index.html has no element "app"');
  const root = createRoot(place);
  // Parsing was one task already.
  takeTurn(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <ExtensionContext value={extension}>
            <WalletProvider>
              <App />
            </WalletProvider>
          </ExtensionContext>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}
