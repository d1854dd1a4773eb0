import type { StackEvent } from './part.ts';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export function describeEvent(event: StackEvent): string | undefined {
  switch (event.kind) {
    case 'note':
      return event.text;
    case 'starting':
      return `${event.part}: starting on ${event.address} …`;
    case 'ready':
      return `${event.part}: ready on ${event.address} (${seconds(event.ms)})`;
    case 'died':
      return `${event.part}: ${event.how}; starting it again …`;
    case 'restarted':
      return `${event.part}: ready again in ${event.ms} ms`;
    case 'restart-failed':
      return `${event.part}: ${event.reason}; next try in ${event.retryInMs} ms`;
    case 'stopping':
      return undefined;
    case 'stopped':
      return event.how === 'graceful' ? `${event.part}: stopped` : `${event.part}: did not stop by itself, killed`;
  }
}

export function describeAddresses(addresses: {
  readonly siteUrl: string;
  readonly apiUrl: string;
  readonly temporalUiUrl: string | null;
  readonly temporalAddress: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly blockEngineUrl: string;
}): string {
  const rows = [
    ['site', addresses.siteUrl],
    ['API', addresses.apiUrl],
    ['OpenAPI', `${addresses.apiUrl}/openapi.json`],
    ['Temporal UI', addresses.temporalUiUrl ?? `of the server at ${addresses.temporalAddress}`],
    ['Temporal', addresses.temporalAddress],
    ['Solana RPC', addresses.rpcUrl],
    ['websocket', addresses.wsUrl],
    ['block engine', addresses.blockEngineUrl],
  ];
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}  ${value}`).join('\n');
}
