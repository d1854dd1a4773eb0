import { renderSite } from './render-site.tsx';

renderSite();
