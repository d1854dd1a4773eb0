import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import { applyTheme } from './parts/theme.ts';
import { takeTurn } from './parts/turn.tsx';
import { WalletProvider } from './wallet/wallet-provider.tsx';

applyTheme();

// What is asked again anyway need not be tried again at once, and the page says so meanwhile. It asks also where the browser believes
// to be without a network: nothing would say then that what is shown is old.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 1_000, networkMode: 'always' } },
});
const place = document.getElementById('app');
if (!place) throw new Error('index.html has no element "app"');
const root = createRoot(place);
// Reading the script was a task of its own already.
takeTurn(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <WalletProvider>
          <App />
        </WalletProvider>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
