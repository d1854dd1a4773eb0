import { PARKED_QUERY } from '../workflows/launch/messages.ts';
import type { TemporalAddress } from './service-addresses.ts';

/** `url` is null without the UI's address. */
export function workflowLink(id: string, temporal: TemporalAddress | undefined) {
  if (!temporal) return { id, namespace: null, url: null };
  return { id, namespace: temporal.namespace, url: pageOf(temporal, `/${encodeURIComponent(id)}`) };
}

/** Null without the UI's address. */
export function parkedUrlOf(temporal: TemporalAddress | undefined): string | null {
  return temporal ? pageOf(temporal, `?query=${encodeURIComponent(PARKED_QUERY)}`) : null;
}

function pageOf({ uiUrl, namespace }: TemporalAddress, rest: string): string | null {
  if (uiUrl === null) return null;
  return `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows${rest}`;
}
