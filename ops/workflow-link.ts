import type { TemporalAddress } from './addresses.ts';

/** Where a workflow is looked at: its id and, where it is known, its page in the Temporal UI. */
export function workflowLink(id: string, temporal: TemporalAddress | undefined) {
  if (!temporal) return { id, namespace: null, url: null };
  const { namespace, uiUrl } = temporal;
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`;
  return { id, namespace, url: uiUrl === null ? null : `${uiUrl.replace(/\/$/, '')}${path}` };
}
