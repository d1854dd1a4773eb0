import { PARKED_QUERY } from '../workflows/messages/launch.ts';
import type { TemporalAddress } from './service-addresses.ts';

/** A workflow's id with its address in the Temporal UI, null where nobody said where that is. */
export function workflowLink(id: string, temporal: TemporalAddress | undefined) {
  if (!temporal) return { id, namespace: null, url: null };
  return { id, namespace: temporal.namespace, url: pageOf(temporal, `/${encodeURIComponent(id)}`) };
}

/** The list of launches that wait for an operator, in the Temporal UI; null where nobody said where that is. */
export function parkedUrlOf(temporal: TemporalAddress | undefined): string | null {
  return temporal ? pageOf(temporal, `?query=${encodeURIComponent(PARKED_QUERY)}`) : null;
}

function pageOf({ uiUrl, namespace }: TemporalAddress, rest: string): string | null {
  if (uiUrl === null) return null;
  return `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows${rest}`;
}
